"""How Moodle names the files of a download, and those that it takes back.

In folders, `<Full name>_<participant id>_assignsubmission_file_/<file>`, or flat, the same without
the slash: by the participant id Moodle finds the student again. Where names are hidden, the name is
`Participant`, or `Participant_<number>`.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

PLATFORM = "moodle"
_OWNER = re.compile(r"(.*?_(\d+)_assignsubmission_[a-z]+_?)(.*)")
_UNSAFE = re.compile(r"[_/\\\x00-\x1f\x7f]+")


def participant_id_in(entry: str) -> str:
    """Return the participant id in a downloaded file's path; empty if there is none."""
    found = _owner_in(entry)
    return found[2] if found else ""


def feedback_name(entry: str, page: str) -> str:
    """Return the path under which Moodle takes a `page` on the file `entry`; empty if none."""
    found = _owner_in(entry)
    if found is None:
        return ""
    return f"{found[1]}{page}" if found[3] else f"{found[1]}/{page}"


def made_up_entry(name: str, participant_id: str) -> str:
    """Return what Moodle would have called a student's folder."""
    return f"{_UNSAFE.sub(' ', name).strip()}_{participant_id}_assignsubmission_file_"


def _owner_in(entry: str) -> re.Match[str] | None:
    """Return the part of a path that names its owner; None if none does, or it could be two."""
    for part in PurePosixPath(entry).parts:
        if found := _OWNER.fullmatch(part):
            return None if _OWNER.fullmatch(found[3]) else found
    return None
