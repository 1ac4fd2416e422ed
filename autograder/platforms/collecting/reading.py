"""Read what a platform handed out, in processes that can be killed: this one parses none of it.

One reads the archive and the platform's own records; then each notebook has one of its own.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from pydantic import TypeAdapter

from autograder.course import Course
from autograder.errors import CourseError, ExaminerDied, SubmissionError
from autograder.intake.archive import RECORDS, File, unpack
from autograder.intake.notebook import read_notebook
from autograder.intake.release import Release
from autograder.intake.submission import assignment_of, is_untouched, sha256
from autograder.platforms import canvas, classroom50, folder, gradescope, moodle, pattern
from autograder.platforms.archives import ArchiveEntry, Platform
from autograder.platforms.collecting.assigning import Content
from autograder.work import bounded
from autograder.work.bounded import Bounds, Unfinished
from autograder.work.processes import call_beside

# For the largest class, and for a notebook of the greatest size.
ARCHIVE_BOUNDS = Bounds(3600, 1800, 4 << 10, 256 << 20, file_mb=max(RECORDS.values()) >> 20)
BOUNDS = Bounds(seconds=60, cpu_seconds=20, memory_mb=3 << 10, max_bytes=10_000)
MAX_EACH = 100  # notebooks of one person that are read, and as many pictures and PDFs
# In the order in which they are asked whether they recognise a source: anything can be a folder.
PLATFORMS: dict[str, Platform] = {
    "gradescope": gradescope,
    "moodle": moodle,
    "canvas": canvas,
    "classroom50": classroom50,
    "folder": folder,
}
_KNOWN: dict[str, Platform] = {"pattern": pattern, **PLATFORMS}
_ERRORS = {error.__name__: error for error in (SubmissionError, CourseError)}
# A platform and its entries; or the name of an error, no entries, and what it says.
_FOUND = TypeAdapter(tuple[str, list[ArchiveEntry], str])


def read_source(
    course: Course, source: Path, fresh: Path, platform: str | None
) -> tuple[Platform, list[ArchiveEntry]]:
    """Return the platform that `source` comes from, and its files; copies of them are in `fresh`.

    Raises `SubmissionError` if it can't be read.
    """
    work = partial(_found_in, course, source, fresh, platform)
    try:
        name, entries, said = _FOUND.validate_json(call_beside(bounded.call, work, ARCHIVE_BOUNDS))
    except (Unfinished, ExaminerDied) as error:
        why = str(error) if isinstance(error, Unfinished) else "its process was killed"
        raise SubmissionError(
            f"{source.name} can't be read: {why}. Collect it in parts, to see which part it is."
        ) from None
    if name in _ERRORS:
        raise _ERRORS[name](said)
    return _KNOWN[name], list(_fair(entries))


def _found_in(course: Course, source: Path, fresh: Path, platform: str | None) -> bytes:
    try:
        files = [file for file in unpack(source, fresh) if file.parts]  # not one called `..`
        asked = [platform] if platform else _KNOWN
        name = next(each for each in asked if platform or _KNOWN[each].recognises(files, course))
        found = [
            replace(entry, file=replace(entry.file, original=None))
            for entry in _KNOWN[name].entries(files, course)
        ]
        return _FOUND.dump_json((name, found, ""))
    except tuple(_ERRORS.values()) as error:
        return _FOUND.dump_json((type(error).__name__, [], str(error)))
    except OSError as error:  # of the disk: of a file, it is told beside the file
        said = f"{source.name} can't be read ({error.strerror}): fix that, and collect it again."
        return _FOUND.dump_json((CourseError.__name__, [], said))


def _fair(entries: Iterable[ArchiveEntry]) -> Iterator[ArchiveEntry]:
    """Yield the entries, without the notebooks or the pages of anybody who hands in too many."""
    read: Counter[object] = Counter()
    for entry in entries:
        file, kind = entry.file, (entry.owners, entry.file.is_page)
        read[kind] += file.path is not None
        if entry.owners and file.path and read[kind] > MAX_EACH:
            said = f"More than {MAX_EACH} notebooks were handed in: ask for the right one alone."
            said = f"It is one of more than {MAX_EACH} of its kind." if file.is_page else said
            entry = replace(entry, file=replace(file, path=None, problem=said))
        yield entry


def read_contents(course: Course, files: Sequence[File]) -> dict[File, Content]:
    """Return what each file is, each read under limits: what kills that process harms no other."""
    releases = [Release.load(course, name) for name in course.released()]
    if not releases:
        raise CourseError("No assignment is released yet: run `autograder release` first.")
    notebooks = {file: file.path for file in files if file.path and not file.is_page}
    paths = list(dict.fromkeys(notebooks.values()))
    found = call_beside(_read_each, _read, paths, releases, BOUNDS)
    known = dict(zip(paths, found, strict=True))
    return {
        file: known[notebooks[file]] if file in notebooks else Content(problem=file.problem)
        for file in files
    }


def _read_each(
    read: Callable[[Path, Sequence[Release]], bytes],
    paths: Sequence[Path],
    releases: Sequence[Release],
    bounds: Bounds,
) -> list[Content]:
    found = []
    for path in paths:
        try:
            content = Content(*json.loads(bounded.call(partial(read, path, releases), bounds)))
        except Unfinished:
            said = "The file can't be read: its author must save it again in Jupyter."
            content = Content(problem=said)
        found.append(content._replace(digest=sha256(path.read_bytes())))
    return found


def _read(path: Path, releases: Sequence[Release]) -> bytes:
    try:
        notebook = read_notebook(path.read_bytes())
        release = assignment_of(notebook, releases)
        content = Content(release.assignment, is_untouched=is_untouched(notebook, release))
        return json.dumps(content).encode()
    except SubmissionError as error:
        return json.dumps(["", str(error)[:1000]]).encode()
