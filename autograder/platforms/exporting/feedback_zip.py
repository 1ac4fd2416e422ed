"""The zip file of feedback pages that a platform's bulk upload takes, one for each assignment."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from autograder.course import Course
from autograder.course.roster import Person, as_name
from autograder.course.sheets import save_whole
from autograder.grading.submissions import students_of
from autograder.platforms import canvas_files, moodle_files
from autograder.platforms.exporting.exported import listing, people
from autograder.platforms.source import entry_of


class Target(StrEnum):
    """Where feedback can be uploaded in bulk."""

    CANVAS = canvas_files.PLATFORM
    MOODLE = moodle_files.PLATFORM


@dataclass(frozen=True)
class Returned:
    """What became of the feedback on an assignment; without a `path`, there was none."""

    path: Path | None
    students: int
    left_out: int
    notes: tuple[str, ...]


def pack(course: Course, target: Target, assignment: str, path: Path) -> Returned:
    """Write the feedback pages on `assignment` to `path`, named as `target` wants them back."""
    handed_in = students_of(course, assignment)
    known = people(course, handed_in)
    named: dict[str, dict[str, Path]] = {}  # by student
    for student in handed_in:
        pages = _pages(course, student, assignment)
        entry = _entry(course, target, known[student], student, assignment)
        named[student] = {_name(target, entry, page, len(pages)): page for page in pages}
    uses = Counter(name for names in named.values() for name in names)
    pageless = [student for student, names in named.items() if not names]
    nameless = [s for s, names in named.items() if "" in names or any(uses[n] > 1 for n in names)]
    returned = named.keys() - {*pageless, *nameless}
    files = {name: page for student in returned for name, page in named[student].items()}
    if files:
        save_whole(_zipped(files), path)
    notes = tuple(_notes(assignment, target, pageless, nameless))
    left_out = len(pageless) + len(nameless)
    return Returned(path if files else None, len(returned), left_out, notes)


def _pages(course: Course, student: str, assignment: str) -> list[Path]:
    folder = course.feedback / student / assignment
    return [path for path in sorted(folder.glob("*.html")) if path.is_file()]


def _entry(course: Course, target: Target, person: Person, student: str, assignment: str) -> str:
    """Return what the platform called a submission; empty if that isn't known."""
    entry = entry_of(course, student, assignment, target)
    if target is Target.MOODLE and not entry and person.name and person.moodle_id:
        return moodle_files.made_up_entry(as_name(person.name), person.moodle_id)
    return entry


def _name(target: Target, entry: str, page: Path, pages: int) -> str:
    if target is Target.CANVAS:
        return canvas_files.feedback_name(entry, page.name, is_only=pages == 1)
    return moodle_files.feedback_name(entry, page.name)


def _notes(
    assignment: str, target: Target, pageless: list[str], nameless: list[str]
) -> Iterator[str]:
    if pageless:
        yield f"{assignment}: no feedback yet, run `make feedback`: {listing(pageless)}."
    if nameless:
        platform = target.title()
        yield (
            f"{assignment}: not returned, because {platform}'s name for what they handed in isn't "
            f"known, or is somebody else's too; collect {platform}'s zip again: "
            f"{listing(nameless)}."
        )


def _zipped(files: Mapping[str, Path]) -> bytes:
    """Return a zip file of `files`, by name; the same files give the same bytes."""
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        for name, path in sorted(files.items()):
            entry = zipfile.ZipInfo(name)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return raw.getvalue()
