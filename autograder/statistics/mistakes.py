"""The misconceptions that a class holds, each with an answer that shows it and not whose it is."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from autograder.course import Course
from autograder.diagnosis.banks import banks_of
from autograder.errors import SubmissionError
from autograder.grading.submissions import is_about
from autograder.intake.code import without_comments
from autograder.intake.notebook import read_notebook, read_submitted
from autograder.intake.release import Release
from autograder.intake.submission import normalise
from autograder.report import Outcome, Report, printable
from autograder.telling.pages.press import PRESS
from autograder.telling.pages.safe_html import MAX_TEXT, as_plain, get_ready, highlight_code
from autograder.work.bounded import Unfinished

MAX_LINES = 30
MAX_LENGTH = 2_000  # characters
MAX_TRIES = 3  # students whose answer may have changed since, or be too much to read
_CUT = Markup('<p class="note">The rest is left out.</p>')


@dataclass(frozen=True)
class SharedMistake:
    """A misconception, and who of the `attempted` students holds it."""

    exercise: str
    tag: str
    description: str
    students: tuple[str, ...]
    attempted: int

    @property
    def share(self) -> float:
        """The share of those who attempted the exercise, between 0 and 1."""
        return len(self.students) / self.attempted


def shared_mistakes(
    course: Course, assignment: str, reports: Iterable[Report]
) -> dict[str, list[SharedMistake]]:
    """Return the misconceptions by exercise: the most frequent one first, and its exercise, too."""
    described = {
        (bank.exercise, variant.tag): variant.description
        for bank in banks_of(course, assignment).values()
        for variant in bank.variants
    }
    holders: dict[tuple[str, str], list[str]] = {}
    attempted: Counter[str] = Counter()
    for report in reports:
        for exercise in report.exercises:
            if exercise.outcome is Outcome.NOT_ATTEMPTED:
                continue
            attempted[exercise.name] += 1
            for found in (each for each in exercise.misconceptions if each.is_shared):
                key = (exercise.name, found.tag)
                holders.setdefault(key, []).append(report.student)
                described.setdefault(key, found.message)  # of relations, which no bank holds
    grouped: dict[str, list[SharedMistake]] = {}
    for (name, tag), students in sorted(holders.items(), key=lambda each: -len(each[1])):
        said = described[name, tag] or tag
        mistake = SharedMistake(name, tag, said, tuple(students), attempted[name])
        grouped.setdefault(name, []).append(mistake)
    return grouped


def examples_of(
    course: Course, assignment: str, reports: Iterable[Report], mistakes: Iterable[SharedMistake]
) -> dict[tuple[str, str], Markup]:
    """Return an answer, as HTML, that shows each of `mistakes`; empty: none is to be had."""
    if not course.release_path(assignment).is_file():
        return {}
    PRESS.warm(get_ready)
    release, left = Release.load(course, assignment), {each.student: each for each in reports}
    return {(m.exercise, m.tag): _example(course, release, m, left) for m in mistakes}


def _example(
    course: Course, release: Release, mistake: SharedMistake, left: dict[str, Report]
) -> Markup:
    """Return an example out of the reports that are `left`; drop one that costs too much."""
    name, holders = mistake.exercise, [left[each] for each in mistake.students if each in left]
    holders.sort(key=lambda r: sum(len(e.misconceptions) for e in r.exercises if e.name == name))
    for report in holders[:MAX_TRIES]:
        path = course.submission_path(report.student, report.assignment)
        if not is_about(report, path):
            continue
        try:
            made = PRESS.make(partial(_shown, read_submitted(path), release, name, report.student))
        except (OSError, SubmissionError):
            continue
        except Unfinished:
            del left[report.student]
            continue
        return Markup(made.text)  # noqa: S704 - made by `_shown`
    return Markup()


def _shown(raw: bytes, release: Release, exercise: str, student: str, plain: bool) -> str:
    """Run in a process that can be killed: return the answer as HTML."""
    whole = anonymous(normalise(read_notebook(raw), release).answers[exercise][:MAX_TEXT], student)
    code = "\n".join(whole.split("\n")[:MAX_LINES])[:MAX_LENGTH]
    shown = as_plain(code) if plain else highlight_code(code)
    return shown + (_CUT if len(code) < len(whole) else "")


def anonymous(code: str, student: str) -> str:
    """Return code without comments and docstrings, and without the student's id."""
    plain = printable(without_comments(code))
    return re.sub(rf"(?<!\w){re.escape(student)}(?!\w)", "someone", plain, flags=re.IGNORECASE)
