"""Students' answers as examples of misconceptions, without anything that says whose they are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from markupsafe import Markup

from autograder.course import Course
from autograder.errors import SubmissionError
from autograder.grading.store import is_about
from autograder.intake.code import without_comments
from autograder.intake.notebook import read_notebook, read_submitted
from autograder.intake.submission import Release, normalise
from autograder.report import Report, printable
from autograder.statistics.summaries import SharedMistake
from autograder.telling.pages.highlighting import highlight_code
from autograder.telling.pages.plain import MAX_TEXT, as_plain
from autograder.telling.pages.press import PRESS
from autograder.telling.pages.texts import Style
from autograder.work.bounded import Unfinished

MAX_LINES = 30
MAX_LENGTH = 2_000  # characters
_TRIES = 3  # students whose answer may have changed since, or be too much to read
_CUT = Markup('<p class="note">The rest is left out.</p>')


@dataclass
class Snippets:
    """Finds an example in what was handed in, as it was graded."""

    course: Course
    release: Release
    reports: Sequence[Report]
    _given_up: set[str] = field(default_factory=set)  # students who cost too much once

    def of(self, mistake: SharedMistake) -> Markup:
        """Return an answer that holds `mistake`, as HTML; nothing if none is to be had any more.

        It is taken from a student who holds few others, as one who shows it clearly.
        """
        holders = set(mistake.students) - self._given_up
        candidates = [report for report in self.reports if report.student in holders]
        candidates.sort(key=lambda report: _number_held(report, mistake.exercise))
        for report in candidates[:_TRIES]:
            path = self.course.submission_path(report.student, report.assignment)
            if not is_about(report, path):
                continue
            try:
                raw = read_submitted(path)
                made = PRESS.make(
                    partial(_shown, raw, self.release, mistake.exercise, report.student)
                )
            except (OSError, SubmissionError):
                continue
            except Unfinished:
                self._given_up.add(report.student)
                continue
            return Markup(made.text)  # noqa: S704 - made by `_shown`
        return Markup()


def _number_held(report: Report, exercise: str) -> int:
    return sum(len(e.misconceptions) for e in report.exercises if e.name == exercise)


def _shown(raw: bytes, release: Release, exercise: str, student: str, style: Style) -> str:
    """Run in a process that can be killed: return the answer as HTML."""
    code = normalise(read_notebook(raw), release).answers[exercise]
    code, is_cut = _cut(anonymous(code[:MAX_TEXT], student))
    shown = as_plain(code) if style >= Style.PLAIN_CELLS else highlight_code(code)
    return shown + (_CUT if is_cut else "")


def anonymous(code: str, student: str) -> str:
    """Return code without comments and docstrings, and without the student's id."""
    plain = printable(without_comments(code))
    return re.sub(rf"(?<!\w){re.escape(student)}(?!\w)", "someone", plain, flags=re.IGNORECASE)


def _cut(code: str) -> tuple[str, bool]:
    shown = "\n".join(code.split("\n")[:MAX_LINES])[:MAX_LENGTH]
    return shown, len(shown) < len(code)
