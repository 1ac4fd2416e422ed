"""A term frozen in one file, and opened again years later.

It is a zip file with what lies in the course's folder and can't be made again, under the names that
it has there, and `archive.json`, which says what is in it, by what it was made, and what each file
must be. Programs aren't in it: `versions` says which ones read it best.
"""

import hashlib
import os
import platform
import re
import shutil
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib.metadata import distributions
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO, Literal

from pydantic import BaseModel, ValidationError

import autograder
from autograder.course import Course, roster, settings
from autograder.course.course import SEED_FILE
from autograder.course.saving import new_file, refuse_newer
from autograder.errors import CourseError, shown
from autograder.gradebook import configuration, database

MANIFEST = "archive.json"
FORMAT: Literal["autograder/archive/v1"] = "autograder/archive/v1"
MAX_MANIFEST = 1 << 28  # bytes
HOLDS = (
    "The work, names and marks of students, which are personal data, and the seed and hidden tests "
    "by which they were graded: keep it from students, and no longer than your rules allow."
)
_OWN_FILES = (settings.FILE, configuration.FILE, SEED_FILE, roster.FILE, "unassigned.csv")
_PINS = ("requirements.txt", "requirements.lock", "constraints.txt")
_FILES = (*_OWN_FILES, *_PINS, "README.md", "Makefile")
_DATE = (2000, 1, 1, 0, 0, 0)
_BLOCK = 1 << 20
DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, EOFError, KeyError, ValueError),
    *(NotImplementedError, RuntimeError),  # packed or encrypted in ways that we don't use
)


class Manifest(BaseModel):
    """What `archive.json` says."""

    format: Literal["autograder/archive/v1"] = FORMAT
    holds: str = HOLDS
    course: str
    made: datetime
    assignments: tuple[str, ...]
    students: int  # who handed in
    versions: dict[str, str]  # of Python and all packages where it was made
    files: dict[str, str]  # the SHA-256 hash of each


def write_archive(course: Course, path: Path, tell: Callable[[str], None]) -> Manifest:
    """Write the archive of a course, all of it or nothing; `tell` says what is left out."""
    if course.overrides:
        raise CourseError(f"{course.overrides[0]} Unset it, so that the course's own is frozen.")
    with (
        new_file(path) as raw,
        database.write_lock(course),
        TemporaryDirectory(dir=course.work) as folder,
    ):
        files = dict(_found(course, tell)) | _gradebook(course, Path(folder))
        if SEED_FILE not in files:
            (Path(folder) / SEED_FILE).write_text(f"{course.seed}\n")
            files[SEED_FILE] = Path(folder) / SEED_FILE
        return _written(course, raw, files)


def _found(course: Course, tell: Callable[[str], None]) -> Iterator[tuple[str, Path]]:
    """Yield the files to keep, by name; links and hidden files are none."""
    code = (course.solutions, course.exercises, course.answers, course.assignments)
    work = (course.submitted, course.autograded, course.reports, course.feedback)
    paths = [course.root / name for name in (*_FILES, course.settings.demo)]
    others = {course.exports, course.packages}  # a course's code may lie beside all of these
    others |= {path for path in course.secrets() if path.name.endswith(("-wal", "-shm"))}
    for folder in (*code, *work):
        for place, folders, names in os.walk(folder):
            folders[:] = [n for n in folders if n != "__pycache__" and Path(place, n) not in others]
            names += [name for name in folders if Path(place, name).is_symlink()]
            paths += [path for name in names if (path := Path(place, name)) not in others]
    for path in paths:
        name = path.relative_to(course.root).as_posix()
        if re.search(r"(^|/)\.", name):
            continue
        if path.is_file() and not path.is_symlink() and name.isprintable():
            yield name, path
        elif os.path.lexists(path):
            tell(f"{shown(name)} was left out: it is a link, or no ordinary file.")


def _gradebook(course: Course, folder: Path) -> dict[str, Path]:
    """Return a copy of the gradebook, as it was at one moment, by its name."""
    url = configuration.url(course)
    file = database.file_of(url)
    if file is None:
        raise CourseError(
            "The gradebook is on a server, so no file can hold it: dump it with the server's own "
            "program, such as pg_dump, and keep that with the course's folder."
        )
    if url != course.database or not file.is_relative_to(course.root):
        raise CourseError(
            f"The gradebook {file} isn't the one in the course's folder that `database` in "
            f"{settings.FILE} names: put it there first."
        )
    if not file.is_file():
        return {}
    copy = folder / "gradebook"
    database.copy_file(file, copy)
    return {file.relative_to(course.root).as_posix(): copy}


def _written(course: Course, raw: IO[bytes], files: dict[str, Path]) -> Manifest:
    sums = {}
    with zipfile.ZipFile(raw, "w") as archive:
        for name, path in sorted(files.items()):
            target = archive.open(_entry(name), "w", force_zip64=True)
            with target, path.open("rb") as file:
                sums[name] = _copied(file, target)
        work = [PurePosixPath(name).parts for name in sums]
        handed_in = {parts[1] for parts in work if parts[0] == course.submitted.name}
        packages = {each.name: each.version for each in distributions()}
        manifest = Manifest(
            course=course.settings.title,
            made=datetime.now(UTC).replace(microsecond=0),
            assignments=tuple(course.assignment_names()),
            students=len(handed_in),
            versions={
                "Python": platform.python_version(),
                "autograder": autograder.__version__,
                **dict(sorted(packages.items())),
            },
            files=sums,
        )
        archive.writestr(_entry(MANIFEST), manifest.model_dump_json(indent=1))
    return manifest


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _DATE)
    entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, (stat.S_IFREG | 0o600) << 16
    return entry


def _copied(source: IO[bytes], target: IO[bytes]) -> str:
    """Copy a file; return the hash of what is in it."""
    found = hashlib.sha256()
    while block := source.read(_BLOCK):
        found.update(block)
        target.write(block)
    return found.hexdigest()


def open_archive(file: Path, folder: Path, only: str = "") -> Manifest:
    """Unpack an archive into a new folder, all of it or nothing; `only` what begins with that.

    Nothing is written outside the folder, and nothing but ordinary files.
    """
    if os.path.lexists(folder):
        raise CourseError(f"{folder} is there already: name a new folder.")
    if not file.is_file():
        raise CourseError(f"There is no file {file}: name one that `autograder archive` wrote.")
    try:
        with (
            zipfile.ZipFile(file) as archive,
            TemporaryDirectory(dir=folder.absolute().parent, prefix=".") as fresh,
        ):
            manifest, root = _manifest(archive), Path(fresh) / "course"
            size, free = sum(e.file_size for e in archive.infolist()), shutil.disk_usage(fresh).free
            if size > free:
                raise ValueError(f"it needs {size >> 20} MB, and {free >> 20} MB are free there")
            root.mkdir(0o700)
            for name in manifest.files:
                if name.startswith(only):
                    _take(archive, name, root / name, manifest.files[name])
            root.rename(folder)
    except DAMAGE as error:
        why = shown(str(error).splitlines()[0][:200]) if str(error) else type(error).__name__
        if isinstance(error, ValidationError):
            why = f"its {MANIFEST} says something else than ours"
        raise CourseError(
            f"{file} can't be opened ({why}): it is damaged, or `autograder archive` didn't write "
            "it; restore it from a backup."
        ) from None
    return manifest


def _manifest(archive: zipfile.ZipFile) -> Manifest:
    """Return what an archive says is in it; raise ValueError if something else is."""
    with archive.open(MANIFEST) as file:
        raw = file.read(MAX_MANIFEST)
    refuse_newer(raw, "format", FORMAT, Path(archive.filename or MANIFEST))
    manifest = Manifest.model_validate_json(raw)
    entries = [each for each in archive.infolist() if each.filename != MANIFEST]
    for each in entries:
        path, kind = PurePosixPath(each.filename), stat.S_IFMT(each.external_attr >> 16)
        is_plain = str(path) == each.filename and kind in (0, stat.S_IFREG)
        if path.is_absolute() or ".." in path.parts or not is_plain:
            raise ValueError(f"{each.filename} is a link, or leads out of it")
    if sorted(each.filename for each in entries) != sorted(manifest.files):
        raise ValueError(f"what is in it isn't what its {MANIFEST} lists")
    return manifest


def _take(archive: zipfile.ZipFile, name: str, path: Path, digest: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with archive.open(name) as source, path.open("xb") as target:
        if _copied(source, target) != digest:
            raise ValueError(f"{name} isn't what was frozen")
