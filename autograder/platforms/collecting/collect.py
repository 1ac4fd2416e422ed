"""Collect what was handed in: a platform's download → `submitted/<student_id>/<assignment>/`.

Everything is read and decided first; only then does anything in the course change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from autograder.course import Course
from autograder.course.roster import FILE, Person, problem_with, read_roster
from autograder.errors import CourseError
from autograder.intake.archive import File, unpack
from autograder.platforms import canvas, classroom50, folder, gradescope, moodle, pattern
from autograder.platforms.collecting import unassigned
from autograder.platforms.collecting.contents import Contents
from autograder.platforms.collecting.deciding import decide
from autograder.platforms.collecting.entry import Platform
from autograder.platforms.collecting.identity import Identities
from autograder.platforms.collecting.placing import Placed, place

# In the order in which they are asked whether they recognise a source: anything can be a folder.
PLATFORMS: dict[str, Platform] = {
    "gradescope": gradescope,
    "moodle": moodle,
    "canvas": canvas,
    "classroom50": classroom50,
    "folder": folder,
}


@dataclass(frozen=True)
class Collected:
    """The result of collecting."""

    title: str  # of the platform
    placed: tuple[Placed, ...]
    to_assign: int
    left_out: int
    notes: tuple[str, ...]  # a sentence each

    def summary(self) -> str:
        """Return the numbers of the result: each submission that was found is placed or isn't."""
        counts = [
            (len(self.placed) + self.to_assign + self.left_out, "found"),
            (len(self.placed), "placed"),
            (self.to_assign, "to assign"),
            (sum(each.is_late for each in self.placed), "late"),
            (sum(each.replaced for each in self.placed), "replaced an earlier one"),
        ]
        if self.left_out:
            counts.append((self.left_out, "left out"))
        return " · ".join(f"{count} {what}" for count, what in counts)


def collect(
    course: Course, source: Path, platform: str | None = None, roster_file: Path | None = None
) -> Collected:
    """Put the notebooks in `source` where the grader looks for them.

    What can't be placed for certain is listed in `unassigned.csv`, whose completed lines decide the
    next time. Raises `SubmissionError`, and changes nothing, if the source can't be read.
    """
    identities = Identities(_roster(course, roster_file), _students(course))
    rows = unassigned.read(course.root / unassigned.FILE)
    course.submitted.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=course.submitted, prefix=".") as fresh:
        files = unpack(source, Path(fresh))
        chosen = _recognised(files, course, platform)
        entries = list(chosen.entries(files, course))
        owners = identities.owners(claim for entry in entries for claim in entry.claims)
        contents = Contents(course, (entry.file for entry in entries))
        decision = decide(chosen.TITLE, entries, owners, contents, identities, rows)
        placed, notes = place(course, decision.chosen, Path(fresh), chosen.TITLE.casefold())
    kept = unassigned.update(course.root / unassigned.FILE, rows, decision.seen, decision.open)
    said = [*decision.notes, *notes]
    if chosen.NOTE and entries:
        said.insert(0, chosen.NOTE)
    if kept:
        said.append(f"{unassigned.FILE} still lists {kept} from earlier.")
    return Collected(
        chosen.TITLE, tuple(placed), decision.to_assign, decision.left_out, tuple(said)
    )


def _roster(course: Course, path: Path | None) -> tuple[Person, ...] | None:
    if path is not None and not path.is_file():
        raise CourseError(f"There is no file {path}: check the name.")
    path = path or course.root / FILE
    return read_roster(path) if path.is_file() else None


def _students(course: Course) -> list[str]:
    folders = sorted(course.submitted.glob("*/")) if course.submitted.is_dir() else []
    return [path.name for path in folders if not problem_with(path.name)]


def _recognised(files: Sequence[File], course: Course, forced: str | None) -> Platform:
    if forced is not None:
        if forced not in PLATFORMS:
            raise CourseError(f"{forced!r} isn't a platform: choose from {', '.join(PLATFORMS)}.")
        return PLATFORMS[forced]
    platforms: list[Platform] = [pattern, *PLATFORMS.values()]
    return next(each for each in platforms if each.recognises(files, course))
