"""When something was handed in: the one reader of times that platforms and people wrote."""

import re
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from autograder.errors import SubmissionError
from autograder.intake.notebook import open_regular

FILE = "timestamp.txt"  # nbgrader's, beside a notebook
LATE = "late.txt"  # beside a notebook that its platform calls late, without a time
MAX_BYTES = 200
_ZONE = re.compile(r"^(\d\S*?[ T]\S+?) ?(Z|[+-]\d\d:?\d\d|[A-Za-z][\w/+-]*)$")
# Names of files hold no colons on Windows, so platforms write others: 2026-10-05-23-59-00.
_IN_NAME = re.compile(r"(\d{4}-\d\d-\d\d)[-_T ](\d\d)[-.](\d\d)(?:[-.](\d\d))?")
_ONE_DIGIT = re.compile(r"(?<=[ T])(\d)(?=:)")  # of an hour


def handed_in_at(folder: Path, zone: str) -> datetime | None:
    """Return what `timestamp.txt` in the folder of a submission says; None if it says nothing.

    A time without a zone is in UTC, as nbgrader writes it. An abbreviation such as CEST is
    understood if the course's time zone `zone` goes by it at that time. What is returned is in
    `zone`. Raises `SubmissionError` for anything else, and for what is no small ordinary file.
    """
    try:
        text = (timestamp(folder) or b"").decode().strip()
        time = parse_time(text, zone, default="UTC")
    except (SubmissionError, UnicodeDecodeError):
        text, time = FILE, None
    if text and time is None:
        raise SubmissionError(f"Its {FILE} contains no valid time: correct or delete the file.")
    return time


def timestamp(folder: Path) -> bytes | None:
    """Return what `timestamp.txt` holds, if anything; raise `SubmissionError` if it isn't small."""
    try:
        with open_regular(folder / FILE, folder) as file:
            raw = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return None
    if len(raw) > MAX_BYTES:
        raise SubmissionError(
            f"{FILE} has more than {MAX_BYTES} bytes: correct or delete the file."
        )
    return raw


def is_flagged_late(folder: Path) -> bool:
    """Tell whether the platform says that what lies in the folder was late, but not by how much."""
    return (folder / LATE).is_file() and not (folder / LATE).is_symlink()


def parse_time(text: str, zone: str, default: str = "") -> datetime | None:
    """Return the time that `text` says, in the time zone `zone`; None if it says none.

    It may end in a zone of its own, also behind a blank, as Ruby and nbgrader write it. Without
    one it is in the time zone `default`, or in `zone` if none is given.
    """
    text, own = text.strip()[:MAX_BYTES], default or zone
    if match := _IN_NAME.fullmatch(text):
        text = f"{match[1]}T{match[2]}:{match[3]}:{match[4] or '00'}"
    if match := _ZONE.match(text):
        text, own = match[1], match[2]
    if own == "Z" or own[0] in "+-":
        text += "+00:00" if own == "Z" else own
    try:
        time = datetime.fromisoformat(_ONE_DIGIT.sub(r"0\1", text))
        if time.tzinfo is None:
            here = ZoneInfo(zone)
            is_ours = time.replace(tzinfo=here).tzname() == own  # as CEST is Berlin's in summer
            time = time.replace(tzinfo=here if is_ours else ZoneInfo(own))
        time.astimezone(UTC)  # a time at either end of the calendar can't be converted
        return time.astimezone(ZoneInfo(zone))
    except (KeyError, ValueError, OverflowError, OSError):  # no time, or no such zone
        return None
