"""Files beside a student's notebook: small ordinary ones are kept, and no code runs with them."""

import hashlib
import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from autograder.errors import SubmissionError, first_of, shown
from autograder.intake import times
from autograder.intake.notebook import open_regular

MAX_FILES = 100
MAX_BYTES = 20 << 20  # of all together
MAX_ENTRIES = 1000  # that are looked at
# What may be an answer on paper, whether or not it can be shown.
_PAGES = (
    *(".pdf", ".png", ".jpg", ".jpeg", ".webp", ".gif", ".svg"),
    *(".heic", ".heif", ".tif", ".tiff", ".bmp"),
)
_OURS = (times.FILE, times.LATE, "source.json")
_IGNORED = ("__pycache__", "feedback")  # as nbgrader does, and hidden ones


@dataclass(frozen=True)
class Attachments:
    """What lies beside a notebook: paths that are kept, and what is left out, with a reason."""

    kept: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def warning(self) -> str:
        """A sentence about what is left out; empty if nothing is."""
        if not self.left_out:
            return ""
        return (
            f"Not everything beside the notebook was kept ({first_of(self.left_out, 1)}): ordinary "
            f"files are, at most {MAX_FILES} of {MAX_BYTES >> 20} MB together."
        )


def find_attachments(folder: Path) -> Attachments:
    """Look at what lies in the folder of a submission; nothing, if the folder is gone."""
    kept: list[str] = []
    left_out: list[str] = []
    room = MAX_BYTES
    try:
        entries = list(islice(_entries(folder), MAX_ENTRIES + 1))
        if len(entries) > MAX_ENTRIES:
            return Attachments(left_out=(f"there are more than {MAX_ENTRIES} entries",))
        for entry in sorted(filter(None, entries), key=lambda entry: entry.path):
            name = Path(entry.path).relative_to(folder).as_posix()
            size = entry.stat(follow_symlinks=False).st_size
            if why := _why_not(entry, size, len(kept), room):
                left_out.append(f"{shown(name)} {why}")
            else:
                kept.append(name)
                room -= size
    except OSError:
        return Attachments()
    return Attachments(tuple(kept), tuple(left_out))


def copy_attachments(source: Path, target: Path) -> None:
    """Copy what is kept of the folder `source`, and its time, to the folder `target`."""
    for name, raw in _contents(source):
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)
    if (time := times.timestamp(source)) is not None:
        (target / times.FILE).write_bytes(time)


def is_page(name: str) -> bool:
    """Tell whether a file of this name may be an answer on paper: a picture or a PDF."""
    return name.lower().endswith(_PAGES)


def pages_beside(folder: Path, given: Collection[str]) -> dict[str, str]:
    """Return the pictures and PDFs in a folder by name, with the hash of each; none that is given.

    A photographed page may be the answer that isn't in the notebook.
    """
    found = hashes_of(folder).items()
    return {n: each for n, each in found if is_page(n) and n not in given}


def hashes_of(folder: Path) -> dict[str, str]:
    """Return the hash of each file that is kept of a folder, by name.

    Raises `SubmissionError` or OSError for what was replaced meanwhile.
    """
    return {name: hashlib.sha256(raw).hexdigest() for name, raw in _contents(folder)}


def _contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of each file that is kept of a folder."""
    room = MAX_BYTES
    for name in find_attachments(folder).kept:
        with open_regular(folder / name, folder) as file:
            raw = file.read(room + 1)
        room -= len(raw)
        if room < 0:  # it has grown since
            raise SubmissionError(f"{shown(name)} changed while it was read: grade again.")
        yield name, raw


def _entries(root: Path) -> Iterator[os.DirEntry[str] | None]:
    """Yield what is below `root`; None for folders, notebooks, hidden files, and our own."""
    folders = [root]
    for folder in folders:
        with os.scandir(folder) as found:
            for entry in found:
                is_left = entry.name.startswith(".") or entry.name in _IGNORED
                is_ours = folder == root and entry.name in _OURS
                is_folder = entry.is_dir(follow_symlinks=False)
                if is_folder and not is_left:
                    folders.append(Path(entry.path))
                is_kept = not (is_left or is_ours or is_folder or entry.name.endswith(".ipynb"))
                yield entry if is_kept else None


def _why_not(entry: os.DirEntry[str], size: int, kept: int, room: int) -> str:
    if entry.is_symlink():
        return "is a link"
    if not entry.is_file():
        return "isn't an ordinary file"
    if kept >= MAX_FILES:
        return "is one too many"
    return "is too large" if size > room else ""
