"""Read the notebooks in an untrusted archive.

Only regular files are read, and an archive that would unpack to too much data is refused.
"""

from __future__ import annotations

import stat
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import IO

from autograder.errors import SubmissionError

MAX_ENTRIES = 100_000
MAX_RATIO = 200  # unpacked size over archive size: for notebooks it is about ten
_ALWAYS_ALLOWED = 16 << 20  # bytes that any archive may unpack to


def notebooks_in(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield the name of each notebook in an archive, and a stream to read it from."""
    try:
        if zipfile.is_zipfile(archive):
            entries = _in_zip(archive)
        elif tarfile.is_tarfile(archive):
            entries = _in_tar(archive)
        else:
            raise SubmissionError(f"{archive.name} is neither a zip nor a tar file.")
        for name, stream in entries:
            with stream:
                yield name, stream
    except (OSError, EOFError, RuntimeError, ValueError, zipfile.BadZipFile, tarfile.TarError) as e:
        raise SubmissionError(f"{archive.name} can't be unpacked ({e}): download it again.") from e


def _in_zip(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    with zipfile.ZipFile(archive) as opened:
        infos = opened.infolist()
        _check(archive, len(infos), sum(info.file_size for info in infos))
        for info in infos:
            mode = info.external_attr >> 16
            if _is_notebook(info.filename) and (stat.S_ISREG(mode) or not stat.S_IFMT(mode)):
                yield info.filename, opened.open(info)


def _in_tar(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
    count = size = 0
    with closing(tarfile.open(archive)) as opened:
        for info in opened:  # one by one: listing all entries would read a bomb to its end
            count, size = count + 1, size + info.size
            _check(archive, count, size)
            if _is_notebook(info.name) and info.isreg() and (stream := opened.extractfile(info)):
                yield info.name, stream


def _is_notebook(name: str) -> bool:
    path = PurePosixPath(name)
    return (
        path.suffix == ".ipynb" and not path.name.startswith(".") and "__MACOSX" not in path.parts
    )


def _check(archive: Path, count: int, size: int) -> None:
    """Refuse an archive with too many entries or too much data for a class."""
    if count > MAX_ENTRIES:
        raise SubmissionError(f"{archive.name} has more than {MAX_ENTRIES} entries.")
    if size > max(_ALWAYS_ALLOWED, MAX_RATIO * archive.stat().st_size):
        raise SubmissionError(
            f"{archive.name} would grow more than {MAX_RATIO} times when unpacked."
        )
