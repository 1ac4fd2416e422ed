"""Unpack what was handed in: an untrusted zip file, tar file or folder. Do it in a bounded process.

Only regular files are read, no link is followed, and of each no more than a notebook may hold. What
one person hands in is left out where it is too much, so that it keeps nobody else from being
collected. A notebook is known by its text, whatever its file is called.
"""

import io
import lzma
import os
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

from autograder.errors import SubmissionError, is_of_disk, shown
from autograder.intake.attachments import is_page
from autograder.intake.notebook import MAX_NOTEBOOK, open_regular

MAX_ENTRIES = 100_000
MAX_IN_FOLDER = 10_000  # entries of one person, where there are more than `MAX_ENTRIES` in all
MAX_DEPTH = 6  # of the folders that can be a person's
MAX_KEPT = 16 << 30  # bytes that are kept of one source
MAX_NAME = 500  # characters of a path that are looked at
# In which platforms say who handed in what and when, with the most bytes that they may have.
RECORDS = {"submission_metadata.yml": 128 << 20, "timestamp.txt": 1 << 10}
MAX_ZIP = 64 << 20  # bytes of a zip file in what is collected
_ZIP = b"PK\x03\x04"
_CHECKPOINT = re.compile(r"-checkpoint\.ipynb$", re.IGNORECASE)
_HEAD = 64  # bytes that show whether a file can be a notebook
_DAMAGED_ENTRY = (
    *(EOFError, ValueError, OverflowError, MemoryError, struct.error, zlib.error, lzma.LZMAError),
    zipfile.BadZipFile,
    RuntimeError,  # encrypted, or folders within folders without end
)
_DAMAGE = (OSError, tarfile.TarError, *_DAMAGED_ENTRY)
HEAD_OF_CLONE = (".git", "HEAD")


class _Entry(NamedTuple):
    name: str
    size: int  # the smallest are copied first; 0 where reading in another order takes long
    opened: Callable[[], IO[bytes]]


@dataclass(frozen=True)
class File:
    name: str  # its path in the source, with `/`
    path: Path | None = None  # a copy, if it can be a notebook, a page, or a platform's record
    problem: str = ""  # a sentence that says why there is no copy, if there should be one
    original: Path | None = None  # where it lies, if the source is a folder
    note: str = ""  # what was done to read it
    is_page: bool = False  # whether it may be an answer on paper: a picture or a PDF

    @property
    def parts(self) -> tuple[str, ...]:
        """The folders that the file lies in, then its own name."""
        return PurePosixPath(self.name).parts

    @property
    def is_called_notebook(self) -> bool:
        return self.name.casefold().endswith((".ipynb", ".ipynb.txt", ".ipynb.json"))

    @property
    def is_meant(self) -> bool:
        """Whether somebody handed it in as a notebook, whatever it is."""
        is_packed = self.name.casefold().endswith(".zip") and bool(self.problem or self.note)
        return self.is_called_notebook or is_packed


def unpack(source: Path, folder: Path) -> tuple[File, ...]:
    """Return the files of `source`, with copies in `folder` of those that can matter.

    Hidden files are left out, but for the one by which a folder is known as a repository. What is
    damaged or too much is named, with the problem. Raises `SubmissionError` if the source can't be
    read to its end.
    """
    try:
        with ExitStack() as stack:
            entries = list(_entries(source, stack))
            files = [_file(source, entry.name) for entry in entries]
            overfull = _overfull(source, files)
            found: dict[int, File] = {}
            kept = 0
            # Pictures and PDFs come last, so that they take no notebook's room.
            in_order = sorted(enumerate(entries), key=lambda e: (is_page(e[1].name), e[1].size))
            for number, entry in in_order:
                if not _is_in(files[number], overfull):
                    file = _unpacked(source, files[number], entry, folder / str(number), kept)
                    found[number] = file
                    kept += file.path.stat().st_size if file.path else 0
    except _DAMAGE as error:
        if is_of_disk(error):
            raise
        said = shown(str(error).splitlines()[0][:200]) if str(error) else type(error).__name__
        raise SubmissionError(
            f"{source.name} can't be unpacked ({said}): download it again."
        ) from error
    said = f"More than {MAX_IN_FOLDER:,} files were handed in: ask for the notebook alone."
    left_out = [File("/".join((*folder, "*.ipynb")), problem=said) for folder in sorted(overfull)]
    return (*(found[number] for number in sorted(found)), *left_out)


def _entries(source: Path, stack: ExitStack) -> Iterator[_Entry]:
    if source.is_dir():
        return _in_folder(source)
    if not source.is_file():
        raise SubmissionError(f"{source} is neither a file nor a folder: check the name.")
    if zipfile.is_zipfile(source):
        return _in_zip(stack.enter_context(zipfile.ZipFile(source)))
    if tarfile.is_tarfile(source):
        return _in_tar(stack.enter_context(tarfile.open(source)))
    raise SubmissionError(
        f"{source.name} is neither a folder nor a zip or tar file, or it is damaged: download it "
        "again."
    )


def _in_zip(archive: zipfile.ZipFile) -> Iterator[_Entry]:
    for info in archive.infolist():
        mode = info.external_attr >> 16
        is_file = not info.is_dir() and (stat.S_ISREG(mode) or not stat.S_IFMT(mode))
        if is_file and _counts(info.filename):
            yield _Entry(info.filename, info.file_size, partial(archive.open, info))


def _in_tar(archive: tarfile.TarFile) -> Iterator[_Entry]:
    for info in archive:
        if info.isreg() and _counts(info.name):
            yield _Entry(info.name, 0, partial(archive.extractfile, info))  # type: ignore[arg-type]  # it is regular


def _in_folder(root: Path) -> Iterator[_Entry]:
    root = root.resolve()
    for folder, folders, names, descriptor in os.fwalk(root):
        heads = ["/".join(HEAD_OF_CLONE)] if ".git" in folders else []
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in [*heads, *sorted(names)]:
            path = Path(folder, name)
            with suppress(OSError):  # it is gone
                found = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
                inside = path.relative_to(root).as_posix()
                # A link can't be opened: that its notebook is missing has to be told.
                is_link = stat.S_ISLNK(found.st_mode) and path.suffix.casefold() == ".ipynb"
                if (stat.S_ISREG(found.st_mode) or is_link) and _counts(inside):
                    yield _Entry(inside, found.st_size, partial(open_regular, path, root))


def _counts(name: str) -> bool:
    """Tell whether a file can matter: it isn't hidden, or it shows a repository."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    is_hidden = any(part.startswith(".") and part not in (".", "..") for part in parts)
    return parts[-2:] == HEAD_OF_CLONE or not (is_hidden or "__MACOSX" in parts)


def _file(source: Path, name: str) -> File:
    parts = name.replace("\\", "/").encode(errors="replace").decode().split("/")
    plain = "/".join(part for part in parts if part not in ("", ".", ".."))[:MAX_NAME]
    return File(plain, original=source / name if source.is_dir() else None)


def _overfull(source: Path, files: Sequence[File]) -> set[tuple[str, ...]]:
    """Return folders that can each be a person's, and hold more than anybody hands in.

    Raises `SubmissionError` if there is too much for a class, and it is nobody's in particular.
    """
    found: set[tuple[str, ...]] = set()
    if len(files) <= MAX_ENTRIES:
        return found
    folders = [file.parts[:-1][:MAX_DEPTH] for file in files]
    held = Counter(each[:depth] for each in folders for depth in range(1, len(each) + 1))
    siblings = Counter(folder[:-1] for folder in held)
    full = {folder for folder, number in held.items() if number > MAX_IN_FOLDER}
    full_siblings = Counter(folder[:-1] for folder in full)
    for folder in sorted(full, key=len):  # a person's is one of many, of which few are so full
        is_in_found = any(folder[:depth] in found for depth in range(len(folder)))
        if not is_in_found and 2 * full_siblings[folder[:-1]] < siblings[folder[:-1]]:
            found.add(folder)
    if len(files) - sum(_is_in(file, found) for file in files) > MAX_ENTRIES:
        raise SubmissionError(
            f"{source.name} has more than {MAX_ENTRIES:,} entries: collect it in parts."
        )
    return found


def _is_in(file: File, folders: Collection[tuple[str, ...]]) -> bool:
    """Tell whether a file lies in one of `folders`, other than what shows it to be a repository."""
    is_own_head = file.parts[-2:] == HEAD_OF_CLONE and file.parts[:-2] in folders
    depths = range(1, min(len(file.parts), MAX_DEPTH + 1))
    return not is_own_head and any(file.parts[:depth] in folders for depth in depths)


def _unpacked(source: Path, file: File, entry: _Entry, path: Path, kept: int) -> File:
    """Return a file, perhaps with a copy at `path`; what is wrong with it harms no neighbour."""
    try:
        with entry.opened() as stream:
            return _copied(file, stream, path, kept)
    except (OSError, SubmissionError, *_DAMAGED_ENTRY) as error:
        is_tar = source.is_file() and tarfile.is_tarfile(source)
        if is_of_disk(error) or is_tar:  # what follows in a tar file can't be found any more
            raise
        if source.is_dir():
            said = "The file can't be read, or it is a link: put the file itself there, readable."
        else:
            said = "The file is damaged in the archive: download the archive again."
        return replace(file, problem=said)


def _copied(file: File, stream: IO[bytes], path: Path, kept: int) -> File:
    record = RECORDS.get(file.name.rpartition("/")[2])
    head = stream.read(_HEAD)
    if head.startswith(_ZIP) and file.name.casefold().endswith(".zip"):
        return _copied_from_zip(file, head + stream.read(MAX_ZIP + 1 - len(head)), path, kept)
    looks = head.lstrip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n").startswith(b"{")
    file = replace(file, is_page=is_page(file.name) and not looks)
    if not (record or looks or file.is_called_notebook or file.is_page):
        return file
    if _CHECKPOINT.search(file.name):
        said = "It is Jupyter's checkpoint copy, which is older: ask for the notebook itself."
        return replace(file, problem=said)
    largest = record or MAX_NOTEBOOK
    raw = head + stream.read(largest + 1 - len(head))
    if len(raw) > largest:
        said = "The file is too large."
        if not file.is_page:
            said = f"It has more than {MAX_NOTEBOOK >> 20} MB: ask for it with its outputs cleared."
        return replace(file, problem=said)
    if kept + len(raw) > MAX_KEPT:
        said = f"There was no room for it among {MAX_KEPT >> 30} GB of smaller files."
        return replace(file, problem=said)
    path.write_bytes(raw)
    if file.is_called_notebook and b"\0" in head:
        return replace(file, path=path, note=f"{shown(file.name)} is saved as UTF-16; it was read.")
    if looks and file.is_called_notebook and not file.name.casefold().endswith(".ipynb"):
        return replace(file, path=path, note=f"{shown(file.name)} is a notebook, and was read.")
    return replace(file, path=path)


def _copied_from_zip(file: File, raw: bytes, path: Path, kept: int) -> File:
    """Return a zip file that somebody handed in as the only notebook in it."""
    if len(raw) > MAX_ZIP:
        return replace(file, problem="The zip file is too large: ask for the notebook alone.")
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            infos = archive.infolist()[: MAX_IN_FOLDER + 1]
            found = [info for info in infos if _is_notebook(info)]
            if not found:
                return file
            if len(infos) > MAX_IN_FOLDER or len(found) > 1:
                said = "The zip file holds several notebooks: ask for the right one alone."
                return replace(file, problem=said)
            with archive.open(found[0]) as stream:
                inside = _copied(replace(file, name=found[0].filename), stream, path, kept)
    except _DAMAGED_ENTRY:
        return replace(file, problem="The zip file is damaged: ask for the notebook alone.")
    said = f"{shown(file.name)} is a zip file; the one notebook in it was taken."
    if any(is_page(info.filename) and _counts(info.filename) for info in infos):
        said += " Pictures or PDFs in it weren't: unpack it, to collect them too."
    return replace(file, path=inside.path, problem=inside.problem, note=said)


def _is_notebook(info: zipfile.ZipInfo) -> bool:
    name = info.filename
    is_copy = _CHECKPOINT.search(name)
    return name.casefold().endswith(".ipynb") and not is_copy and _counts(name)
