"""A plain folder or archive of notebooks, sorted by people, by assignments, or both.

The name of a person's folder is all that says whose a file is; one that lies in nobody's folder is
told by its own name. Where a folder around it could be somebody's, the roster must know one alone.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from autograder.course import Course
from autograder.intake.archive import File
from autograder.intake.times import FILE, MAX_BYTES, parse_time
from autograder.platforms.archives import Account, ArchiveEntry, without_wrapper

TITLE = "Folder"
NOTE = ""
# A name may have dots of its own; browsers and Jupyter number copies.
_ENDING = re.compile(r"( ?\(\d+\)|-Copy\d+)?\.ipynb(\.txt|\.json)?\Z", re.IGNORECASE)


def recognises(files: Sequence[File], course: Course) -> bool:
    return True


def entries(files: Sequence[File], course: Course) -> Iterator[ArchiveEntry]:
    """Yield each file with the person whose folder it lies in."""
    assignments = course.assignment_names()
    inner, wrapper = without_wrapper(files), ""
    # A folder around all files stays if it is certainly somebody's own.
    is_persons_own = any(file.parts[0] in assignments for file in inner if len(file.parts) == 2)
    if not is_persons_own and inner is not files:
        files, wrapper = inner, files[0].parts[0]
    times = {f.parts[:-1]: _time(f, course) for f in files if f.parts[-1] == FILE}
    for file in files:
        if file.parts[-1] == FILE:
            continue
        owner, *others = _owners(file, assignments, wrapper)
        if owner and owner.ids:  # a name of blanks and dashes leaves none
            # Elsewhere, a file of that name is the student's own.
            is_nbgraders = file.parts[-2:-1] != () and file.parts[-2] in assignments
            time = times.get(file.parts[:-1]) if is_nbgraders else None
            yield ArchiveEntry(file, ((owner, *filter(None, others)),), time)
        else:
            yield ArchiveEntry(file, doubt="it lies in nobody's folder")


def _owners(file: File, assignments: Sequence[str], wrapper: str) -> list[Account | None]:
    """Return the person whose folder a file lies in, and others whose it can be."""
    folders = file.parts[:-1]
    named = next((place for place, part in enumerate(folders) if part in assignments), None)
    if folders and named != 0:
        if named is None or folders[named:] == folders[1:2]:
            return [Account.labelled(folders[0])]
        # Below both somebody's and an assignment's folder, another folder leaves two readings.
        if len(folders) > named + 1:
            return [None]
        return _doubtful(Account.labelled(folders[named - 1]), *folders[: named - 1])
    if len(folders) > 1:  # sorted by assignment
        return [Account.labelled(folders[1])]
    owner = _by_file(file, assignments)
    is_alone = folders or not wrapper or wrapper in assignments
    return [owner] if is_alone or not owner else _doubtful(owner, wrapper)


def _doubtful(owner: Account, *around: str) -> list[Account | None]:
    """Return a person that students can have named themselves, and those named around that."""
    return [replace(owner, is_student_id=False), *map(Account.labelled, around)]


def _by_file(file: File, assignments: Sequence[str]) -> Account | None:
    """Return the person that a file's name names, if it names one at all."""
    if not file.is_called_notebook:
        return None
    stem = _ENDING.sub("", file.parts[-1])
    for assignment in assignments:
        if assignment in stem:
            before, _, behind = stem.partition(assignment)
            rest = before or behind
            is_version = behind.startswith(".")  # as in `hw1.final.ipynb`
            is_one = bool(before) != bool(behind) and rest.strip("_-. ") != rest and not is_version
            return Account.labelled(rest.strip("_-. ")) if is_one else None
    return Account.labelled(stem, is_student_id=False)


def _time(file: File, course: Course) -> datetime | None:
    if file.path is None:
        return None
    with file.path.open("rb") as stream:
        text = stream.read(MAX_BYTES).decode(errors="replace")
    return parse_time(text, course.settings.time_zone, default="UTC")  # as nbgrader writes it
