"""Whatever is done in whatever order, equal facts end in equal marks.

Random sequences of grading, points by hand, lateness and extensions are compared with a calculation
that knows nothing of gradebooks.
"""

import shutil
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test
from nbconvert.exporters import NotebookExporter
from nbgrader.converters import Autograde
from nbgrader.coursedir import CourseDirectory

from autograder.course import Course
from autograder.errors import SubmissionError
from autograder.gradebook import configuration
from autograder.gradebook.marks import read_marks
from autograder.gradebook.recorder import clean_copies, write_verdicts
from autograder.gradebook.recording import record
from autograder.gradebook.steps import SaveGrades
from autograder.intake.release import Release
from autograder.report import Outcome, Report
from tests.gradebook.books import book_of, give
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS, with_settings

DUE = datetime(2026, 2, 1, 12, tzinfo=UTC)
WORTH = {"double": 5, "Counter": 4, "why": 2}
CELLS = {"double": "double_test", "Counter": "Counter_test", "why": "why"}
OUTCOMES = st.sampled_from([Outcome.PASSED, Outcome.FAILED, Outcome.GRADER_ERROR])
POINTS = st.none() | st.integers(0, 8).map(lambda quarters: quarters / 4)


@dataclass
class Facts:
    """All that decides a student's marks, and the marks that follow from it."""

    outcomes: tuple[Outcome, ...] = tuple(9 * [Outcome.PASSED])
    by_hand: dict[str, float] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)  # answers, since points were given for them
    answers: dict[str, str] = field(default_factory=lambda: RIGHT | {"why": "Because."})
    hours_late: int | None = None
    per_day: float | None = None
    extension: int | None = None  # days

    def points(self) -> dict[str, float | None]:
        found = self.automatic() | self.by_hand
        return {name: None if name in self.changed else found[name] for name in WORTH}

    def automatic(self) -> dict[str, float | None]:
        parts = {"double": self.outcomes[:5], "Counter": self.outcomes[5:]}
        found: dict[str, float | None] = {
            name: None if Outcome.GRADER_ERROR in part else part.count(Outcome.PASSED)
            for name, part in parts.items()
        }
        return found | {"why": None}

    def marks(self) -> tuple[float, float, float]:
        """The score, the most that could be had so far, and the penalty."""
        points = {name: value for name, value in self.points().items() if value is not None}
        score = float(sum(points.values()))
        late = (self.hours_late or 0) - 24 * (self.extension or 0)
        days = max(0, -(-late // 24))
        penalty = score * min(1, days * (self.per_day or 0))
        return score - penalty, sum(WORTH[name] for name in points), penalty


class Marking(RuleBasedStateMachine):
    """A student's marks in a course; `fresh` is a course in which nobody handed in yet."""

    fresh: ClassVar[Course]

    def __init__(self) -> None:
        super().__init__()
        self._folder = Path(tempfile.mkdtemp())
        self.toys = ToyClass.like(self.fresh, self._folder)
        self.facts, self.recorded = Facts(), False
        self._write_settings()
        self._hand_in()
        self.grade()

    def teardown(self) -> None:
        """What everybody reads in the end is what the facts come to."""
        self.grade()
        self.compare()
        shutil.rmtree(self._folder)

    @property
    def course(self) -> Course:
        return Course.load(self.toys.course.root)

    @rule(outcomes=st.tuples(*9 * [OUTCOMES]))
    def hidden_tests_change(self, outcomes: tuple[Outcome, ...]) -> None:
        self.facts.outcomes = outcomes
        self.grade()

    @rule()
    def grade(self) -> None:
        assert record(self.course, [self._report()]) == []

    @rule()
    def nbgrader_autogrades(self) -> None:
        """By the steps that nbgrader's command and the formgrader's button run."""
        report, config = self._report(), configuration.load_settings(self.course)
        path = self.course.submission_path("a", TOYS)
        ((_, notebook),) = clean_copies([path], Release.load(self.course, TOYS))
        assert not isinstance(notebook, SubmissionError)
        write_verdicts(notebook, report)
        coursedir = CourseDirectory(config=config)
        converter = Autograde(coursedir=coursedir, config=config)
        exporter = NotebookExporter(parent=converter)  # type: ignore[no-untyped-call]
        names = {"student": "a", "assignment": TOYS, "notebook": TOYS, "db_url": coursedir.db_url}
        step = SaveGrades(parent=exporter)
        step.preprocess(notebook, {"nbgrader": names, "autograder": report})

    @rule(name=st.sampled_from(sorted(WORTH)), points=POINTS)
    def a_person_gives_points(self, name: str, points: float | None) -> None:
        give(self.course, "a", CELLS[name], points)
        self.facts.by_hand.pop(name, None)
        self.facts.changed.discard(name)
        if points is not None:
            self.facts.by_hand[name] = points

    @rule(name=st.sampled_from(sorted(WORTH)), number=st.integers(0, 2))
    def the_student_hands_in_again(self, name: str, number: int) -> None:
        answer = self.facts.answers[name].split("#")[0] + f"# {number}"
        if answer != self.facts.answers[name] and name in self.facts.by_hand:
            self.facts.changed.add(name)
        self.facts.answers = self.facts.answers | {name: answer}
        self._hand_in()
        self.grade()

    @rule(hours=st.integers(0, 60))
    def it_was_late(self, hours: int) -> None:
        self.facts.hours_late = hours
        when = (DUE + timedelta(hours=hours)).strftime("%Y-%m-%d %H:%M:%S UTC")
        path = self.course.submission_path("a", TOYS).with_name("timestamp.txt")
        path.write_text(when)
        self.grade()

    @rule(per_day=st.sampled_from([None, 0.1, 0.25, 0.5, 1]))
    def lateness_costs(self, per_day: float | None) -> None:
        self.facts.per_day = per_day
        self._write_settings()

    @rule(days=st.none() | st.integers(1, 3))
    def an_extension_is_given_or_taken_back(self, days: int | None) -> None:
        self.facts.extension = days
        self._write_settings()

    @rule()
    def compare(self) -> None:
        """What is shown, what students read, and what nbgrader's tables say."""
        score, most, penalty = self.facts.marks()
        (marks,) = read_marks(self.course, [TOYS])
        assert (marks.score, marks.max_score) == pytest.approx((score, most))
        assert {mark.name: mark.score for mark in marks.each} == self.facts.points()
        with book_of(self.course) as book:
            found = book.find_submission(TOYS, "a")
            assert found.late_submission_penalty == pytest.approx(penalty)
            assert {grade.name: grade.manual_score for grade in found.notebooks[0].grades} == {
                cell: self.facts.by_hand.get(name) for name, cell in CELLS.items()
            }
            assert found.needs_manual_grade == (None in self.facts.points().values())

    def _write_settings(self) -> None:
        late = f"late = {{ per_day = {self.facts.per_day} }}\n" if self.facts.per_day else ""
        days = self.facts.extension
        until = (DUE + timedelta(days=days or 0)).isoformat()
        extension = f"extensions = {{ a = {until} }}\n" if days else ""
        text = f"{late}[assignments.{TOYS}]\ndue = {DUE.isoformat()}\n{extension}"
        with_settings(self.toys.course.root, text)

    def _hand_in(self) -> None:
        self.toys.hand_in("a", self.facts.answers)

    def _report(self) -> Report:
        return self.toys.report("a", *self.facts.outcomes)


@pytest.mark.parametrize(
    "sequences",
    [pytest.param(10, marks=pytest.mark.slow), pytest.param(300, marks=pytest.mark.exhaustive)],
)
def test_marks_are_the_same_whatever_was_done_in_whatever_order(
    fresh: Course, sequences: int
) -> None:
    Marking.fresh = fresh
    how = settings(
        max_examples=sequences,
        stateful_step_count=10,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Marking, settings=how)
