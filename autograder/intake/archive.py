"""Unpack what was handed in: an untrusted zip file, tar file or folder.

Only regular files are read, no link is followed, and a source with too many entries or too much
data for a class is refused. A notebook is known by its text, whatever its file is called.
"""

import lzma
import os
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO

from autograder.errors import DISK_ERRORS, SubmissionError, shown
from autograder.intake.notebook import MAX_NOTEBOOK, regular_stream

MAX_ENTRIES = 100_000
MAX_RATIO = 200  # unpacked size over archive size: for notebooks it is about ten
MAX_KEPT = 16 << 30  # bytes that are kept of one source
MAX_NAME = 500  # characters of a path that are looked at
MAX_RECORD = 128 << 20  # bytes of a file in which a platform says who handed in what
RECORDS = ("submission_metadata.yml", "timestamp.txt")
MAX_SMALL = 16 << 20  # bytes that any archive may unpack to
_HEAD = 64  # bytes that show whether a file can be a notebook
_DAMAGED_ENTRY = (
    *(EOFError, ValueError, OverflowError, struct.error, zlib.error, lzma.LZMAError),
    zipfile.BadZipFile,
    RuntimeError,  # encrypted, or folders within folders without end
)
_DAMAGE = (OSError, tarfile.TarError, *_DAMAGED_ENTRY)


# An entry's name, and what opens it: nothing, if it is no ordinary file.
_Entries = Iterator[tuple[str, Callable[[], IO[bytes] | None]]]


@dataclass(frozen=True)
class File:
    """A file of a source."""

    name: str  # its path in the source, with `/`
    path: Path | None = None  # a copy of it, if it can be a notebook or a platform's record
    is_too_large: bool = False
    is_damaged: bool = False  # in an archive that can be read otherwise
    original: Path | None = None  # where it lies, if the source is a folder

    @property
    def parts(self) -> tuple[str, ...]:
        """The folders that the file lies in, then its own name."""
        return PurePosixPath(self.name).parts

    @property
    def is_called_notebook(self) -> bool:
        """Whether the file's name is that of a notebook."""
        return self.name.casefold().endswith(".ipynb")


def unpack(source: Path, folder: Path) -> tuple[File, ...]:
    """Return the files of `source`, with copies in `folder` of those that can matter.

    Hidden files are left out, but for the one by which a folder is known as a repository. A damaged
    entry of a zip file is named, and has no copy. Raises `SubmissionError` if the source can't be
    read to its end.
    """
    files: list[File] = []
    kept = 0
    try:
        for name, opened in _entries(source):
            file = _unpacked(source, name, opened, folder / str(len(files)))
            if file is not None:
                files.append(file)
                kept += file.path.stat().st_size if file.path else 0
            if kept > MAX_KEPT:
                raise SubmissionError(f"{source.name} holds more than {MAX_KEPT >> 30} GB.")
    except _DAMAGE as error:
        if isinstance(error, OSError) and error.errno in DISK_ERRORS:
            raise
        said = shown(str(error).splitlines()[0][:200]) if str(error) else type(error).__name__
        raise SubmissionError(
            f"{source.name} can't be unpacked ({said}): download it again."
        ) from error
    return tuple(files)


def _entries(source: Path) -> _Entries:
    if source.is_dir():
        return _in_folder(source)
    if not source.is_file():
        raise SubmissionError(f"{source} is neither a file nor a folder: check the name.")
    if zipfile.is_zipfile(source):
        return _in_zip(source)
    if tarfile.is_tarfile(source):
        return _in_tar(source)
    raise SubmissionError(
        f"{source.name} is neither a folder nor a zip or tar file, or it is damaged: download it "
        "again."
    )


def _in_zip(archive: Path) -> _Entries:
    with zipfile.ZipFile(archive) as opened:
        infos = opened.infolist()
        _check(archive, len(infos), sum(info.file_size for info in infos))
        for info in infos:
            mode = info.external_attr >> 16
            is_file = not info.is_dir() and (stat.S_ISREG(mode) or not stat.S_IFMT(mode))
            if is_file and _counts(info.filename):
                yield info.filename, partial(opened.open, info)


def _in_tar(archive: Path) -> _Entries:
    count = size = 0
    with closing(tarfile.open(archive)) as opened:
        for info in opened:  # one by one: listing all entries would read a bomb to its end
            count, size = count + 1, size + info.size
            _check(archive, count, size)
            if _counts(info.name) and info.isreg():
                yield info.name, partial(opened.extractfile, info)


def _in_folder(root: Path) -> _Entries:
    root = root.resolve()
    count = 0
    for folder, folders, names, descriptor in os.fwalk(root, onerror=_raise):
        folders.sort()
        count += len(folders) + len(names)
        _check(root, count, 0)
        for name in sorted(names):
            path = Path(folder, name).relative_to(root).as_posix()
            if _counts(path):
                yield path, partial(regular_stream, name, descriptor)


def _raise(error: OSError) -> None:
    raise error


def _counts(name: str) -> bool:
    """Tell whether a file can matter: it isn't hidden, or it shows a repository."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    is_hidden = any(part.startswith(".") and part not in (".", "..") for part in parts)
    return parts[-2:] == (".git", "HEAD") or not (is_hidden or "__MACOSX" in parts)


def _unpacked(
    source: Path, name: str, opened: Callable[[], IO[bytes] | None], path: Path
) -> File | None:
    """Return a file, perhaps with a copy at `path`; a damaged entry of a zip harms no neighbour."""
    parts = name.replace("\\", "/").encode(errors="replace").decode().split("/")
    plain = "/".join(part for part in parts if part not in ("", ".", ".."))[:MAX_NAME]
    file = File(plain, original=source / name if source.is_dir() else None)
    try:
        stream = opened()
        if stream is None:
            return None
        with stream:
            return _copied(file, stream, path)
    except _DAMAGED_ENTRY:
        if not zipfile.is_zipfile(source):  # what follows in a tar file can't be found any more
            raise
        return replace(file, is_damaged=True)


def _copied(file: File, stream: IO[bytes], path: Path) -> File:
    is_record = file.name.rpartition("/")[2] in RECORDS
    head = stream.read(_HEAD)
    looks = head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
    if not (is_record or looks or file.is_called_notebook):
        return file
    largest = MAX_RECORD if is_record else MAX_NOTEBOOK
    raw = head + stream.read(largest + 1 - len(head))
    if len(raw) > largest:
        return replace(file, is_too_large=True)
    path.write_bytes(raw)
    return replace(file, path=path)


def _check(archive: Path, count: int, size: int) -> None:
    """Refuse an archive with too many entries or too much data for a class."""
    if count > MAX_ENTRIES:
        raise SubmissionError(f"{archive.name} has more than {MAX_ENTRIES} entries.")
    if size > max(MAX_SMALL, MAX_RATIO * archive.stat().st_size):
        raise SubmissionError(
            f"{archive.name} would grow more than {MAX_RATIO} times when unpacked."
        )
