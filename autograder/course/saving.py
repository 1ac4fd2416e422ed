"""Files that are written as a whole, and behind no link: nobody ever reads half of one."""

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import IO

from autograder.errors import CourseError, shown


@contextmanager
def _fresh(path: Path, mode: int, put: Callable[[Path, Path], None]) -> Iterator[IO[bytes]]:
    """Open a hidden file beside `path`, and `put` it there once all of it is written."""
    fresh = path.with_name(f".{token_hex(8)}")
    try:
        with open(fresh, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            yield file
        put(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)


def save_whole(raw: bytes, path: Path) -> None:
    """Write a file, all of it or nothing, through no link that lies in its place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with _fresh(path, 0o666, os.replace) as file:
        file.write(raw)


@contextmanager
def on_the_disk(path: Path) -> Iterator[IO[bytes]]:
    """Open a file whose bytes are on the disk, all of them, before it has its name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with _fresh(path, 0o666, os.replace) as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def new_file(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that isn't there yet, for its owner alone: all of it is written, or nothing."""
    if os.path.lexists(path):
        raise CourseError(f"{path} is there already: name a file that isn't.")
    path.parent.mkdir(parents=True, exist_ok=True)
    with _fresh(path, 0o600, os.rename) as file:
        yield file


def save_first(raw: bytes, path: Path, mode: int = 0o666) -> bool:
    """Write a file, all of it or nothing, unless there is one; tell whether there was none."""
    try:
        with _fresh(path, mode, os.link) as file:
            file.write(raw)
    except FileExistsError:  # whichever machine made it
        return False
    return True


def sign_of(path: Path) -> tuple[int, int] | None:
    """Return what differs once a file is written again; None if there is none to look at."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def refuse_links(path: Path, below: Path) -> Path:
    """Return `path`; raise `CourseError` if it, or a folder between `below` and it, is a link.

    `below` is a folder of the course, which a person may keep elsewhere.
    """
    for part in (path, *path.parents):
        if part == below:
            break
        if part.is_symlink():
            where = shown(str(part.relative_to(below.parent)))
            raise CourseError(
                f"{where} is a link, and links are not followed: put what belongs there in its "
                "place, or remove it, and run this again."
            )
    return path


def refuse_newer(raw: bytes, key: str, known: str, path: Path) -> None:
    """Raise `CourseError` if a file of ours says that a newer version than `known` wrote it.

    `known` is such as `autograder/report/v1`, and stands in the JSON under `key`.
    """
    try:
        found = str(json.loads(raw)[key])
    except (ValueError, LookupError, TypeError, RecursionError):  # its reader says why not
        return
    name, _, version = known.rpartition("/v")
    newer = re.fullmatch(rf"{re.escape(name)}/v(\d{{1,9}})", found)
    if newer and int(newer[1]) > int(version):
        raise CourseError(
            f"{shown(str(path))} was written by a newer autograder ({found}, and this one knows "
            f"{known}): use that one."
        )
