"""How Canvas names the files of a download, and those that it takes back.

`<name>[_LATE]_<user id>_<attachment id>_<file>`: by the two ids Canvas finds the student again.
"""

from __future__ import annotations

from pathlib import PurePosixPath

PLATFORM = "canvas"


def user_id_in(entry: str) -> str:
    """Return the user id in the name of a downloaded file; empty if there is none."""
    ids = _ids_in(entry)
    return ids[0] if len(ids) == 2 else ""


def feedback_name(entry: str, page: str, *, is_only: bool) -> str:
    """Return the name under which Canvas takes a `page` on the file `entry`; empty if none.

    It is the downloaded file's, but for the ending: a page named `.ipynb` would open nowhere.
    """
    if not user_id_in(entry):
        return ""
    stem, page_path = PurePosixPath(entry).stem, PurePosixPath(page)
    return f"{stem}{'' if is_only else '-' + page_path.stem}{page_path.suffix}"


def _ids_in(entry: str) -> list[str]:
    """Return the first two parts that are digits, as Canvas itself looks for them."""
    parts = PurePosixPath(entry).name.split("_")
    return [part for part in parts if part.isascii() and part.isdigit()][:2]
