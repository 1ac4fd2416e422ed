"""How Canvas names the files of a download, and those that it takes back.

`<name>[_LATE]_<user id>_<attachment id>_<file>`: by the two ids, Canvas finds the student again.
Where students are anonymous, `anon_<anonymous id>[_LATE]_<attachment id>_<file>`.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

PLATFORM = "canvas"
_IDS = re.compile(r"_(?=(?P<user>[0-9]{1,25})_(?P<attachment>[0-9]{1,25})_.)")
_ANONYMOUS = re.compile(r"anon_\w{1,25}?(_LATE)?_[0-9]{1,25}_.+")


def user_id_in(entry: str) -> str:
    """Return the user id in the name of a downloaded file; empty if it can't be told.

    Names of students and of files can look like ids.
    """
    name = PurePosixPath(entry).name
    found = list(_IDS.finditer(name))
    if len(found) != 1 or _ANONYMOUS.fullmatch(name):
        return ""
    read_by_canvas = [part for part in name.split("_") if part.isascii() and part.isdigit()][:2]
    is_sure = read_by_canvas == list(found[0].group("user", "attachment"))
    return found[0]["user"] if is_sure else ""


def feedback_name(entry: str, page: str, *, is_only: bool) -> str:
    """Return the name under which Canvas takes a `page` on the file `entry`; empty if none.

    It is the downloaded file's, but for the ending: a page named `.ipynb` would open nowhere.
    """
    file, page_path = PurePosixPath(entry), PurePosixPath(page)
    if not user_id_in(entry) and not _ANONYMOUS.fullmatch(file.name):
        return ""
    return f"{file.stem}{'' if is_only else '-' + page_path.stem}{page_path.suffix}"
