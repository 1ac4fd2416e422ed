"""Unpack what a class handed in: an archive as a learning platform gives it → `submitted/`.

An archive comes from outside, and nothing in it is believed. Of its paths only two words are kept,
a student's name and an assignment's; only ordinary files are read, and only as much of them as a
notebook may have.
"""

from __future__ import annotations

import re
import stat
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO

from autograder.course import Course
from autograder.errors import SubmissionError
from autograder.notebook import MAX_BYTES

_MOST_ENTRIES = 100_000
_MOST_RATIO = 200  # times that an archive may grow: notebooks grow tenfold
_SMALL = 16 << 20  # bytes that any archive may grow to
_STUDENT = re.compile(r"[^\W_][\w.@+-]{0,79}")


@dataclass(frozen=True)
class Collected:
    """What became of an archive."""

    placed: tuple[Path, ...]
    passed_over: tuple[str, ...]  # a sentence for each notebook that nobody can be given


def collect(course: Course, archive: Path) -> Collected:
    """Put the notebooks in `archive`, a zip or tar file, where submissions belong.

    They are told by their names: `<student>/<assignment>/<assignment>.ipynb` at any depth,
    `<student>_…/…<assignment>….ipynb`, or `<student>_…<assignment>….ipynb`. What was handed in
    before is replaced. Raises `SubmissionError` if the archive isn't to be trusted; then nothing
    has changed.
    """
    placed: dict[Path, Path] = {}
    passed_over: list[str] = []
    course.submitted.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=course.submitted, prefix=".") as folder:
        for number, (name, stream) in enumerate(_notebooks(archive)):
            owner = owner_of(name, course.released())
            raw = stream.read(MAX_BYTES + 1)
            if owner is None or len(raw) > MAX_BYTES:
                why = "is too large" if owner else "names no student and assignment"
                passed_over.append(f"{name} {why}.")
                continue
            fresh = Path(folder) / str(number)
            fresh.write_bytes(raw)
            placed[course.submission_path(*owner)] = fresh
        for path, fresh in placed.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh.replace(path)
    return Collected(tuple(placed), tuple(passed_over))


def owner_of(name: str, assignments: Sequence[str]) -> tuple[str, str] | None:
    """Return the student and the assignment that the path of a notebook names, if it does."""
    *folders, file = PurePosixPath(name.replace("\\", "/")).parts
    named = [assignment for assignment in assignments if assignment in file]
    if len(named) != 1:
        return None
    (assignment,) = named
    if not file.startswith(assignment):
        folders.append(file)
    elif folders and folders[-1] == assignment:
        folders.pop()
    owner = folders[-1].split("_")[0].strip().replace(" ", "-") if folders else ""
    return (owner, assignment) if _STUDENT.fullmatch(owner) else None


def _notebooks(archive: Path) -> Iterator[tuple[str, IO[bytes]]]:
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
        for info in opened:  # one after the other: a list of all is read to the end of a bomb
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
    """Refuse what no class hands in."""
    if count > _MOST_ENTRIES:
        raise SubmissionError(f"{archive.name} has more than {_MOST_ENTRIES} entries.")
    if size > max(_SMALL, _MOST_RATIO * archive.stat().st_size):
        raise SubmissionError(
            f"{archive.name} would grow more than {_MOST_RATIO} times when it is unpacked."
        )
