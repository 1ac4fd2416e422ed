"""Files that are written as a whole: nobody ever reads half of one."""

import json
import re
from pathlib import Path
from secrets import token_hex

from autograder.errors import CourseError, shown


def save_whole(raw: bytes, path: Path) -> None:
    """Write a file, all of it or nothing, through no link that lies in its place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{token_hex(8)}")
    try:
        with fresh.open("xb") as file:
            file.write(raw)
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def refuse_newer(raw: bytes, key: str, known: str, path: Path) -> None:
    """Raise `CourseError` if a file of ours says that a newer version than `known` wrote it.

    `known` is such as `autograder/report/v1`, and stands in the JSON under `key`.
    """
    try:
        found = str(json.loads(raw)[key])
    except (ValueError, LookupError, TypeError, RecursionError):  # whoever reads it says why not
        return
    name, _, version = known.rpartition("/v")
    newer = re.fullmatch(rf"{re.escape(name)}/v(\d{{1,9}})", found)
    if newer and int(newer[1]) > int(version):
        raise CourseError(
            f"{shown(str(path))} was written by a newer autograder ({found}, and this one knows "
            f"{known}): use that one."
        )
