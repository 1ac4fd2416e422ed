"""Graders to hand whole notebooks to, and what their reports say."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from autograder.course import Course
from autograder.grading.grader import Grader
from autograder.grading.settings import Settings
from autograder.grading.submissions import Job
from autograder.report import ExerciseReport, Report
from autograder.sandbox.limits import Isolation, Limits
from tests.notebooks import code, filled

LIMITS = Limits(cell_seconds=2.5, call_seconds=1.5, notebook_seconds=60, memory_mb=256)


@dataclass
class Graders:
    """One grader, and so one warm process, for each assignment and level."""

    course: Course
    limits: Limits = LIMITS
    _graders: dict[tuple[str, Isolation], Grader] = field(default_factory=dict)

    def __call__(self, assignment: str, level: Isolation) -> Grader:
        if (assignment, level) not in self._graders:
            self._graders[assignment, level] = Grader(self.settings(level), assignment)
        return self._graders[assignment, level]

    def settings(self, level: Isolation) -> Settings:
        """How it is graded on a level: without the slow hidden tests."""
        return Settings(self.course, level, limits=self.limits, skip_slow=True)

    def close(self) -> None:
        for grader in self._graders.values():
            grader.close()


def hand_in(grader: Grader, answers: Mapping[str, str], *own_cells: str, first: str = "") -> Report:
    """Grade the release with `answers` in it, `first` before all cells and `own_cells` behind."""
    release = grader.settings.course.release_path(grader.assignment)
    content = filled(release, answers)
    content["cells"] += [code(source) for source in own_cells]
    if first:
        content["cells"].insert(0, code(first))
    return grader.grade(json.dumps(content).encode(), Job("ada", grader.assignment, release))


def scores(report: Report) -> dict[str, float]:
    return {exercise.name: exercise.score for exercise in report.exercises}


def full(report: Report) -> dict[str, float]:
    return {exercise.name: exercise.max_score for exercise in report.exercises}


def exercise_in(report: Report, name: str) -> ExerciseReport:
    (found,) = (one for one in report.exercises if one.name == name)
    return found


def messages(report: Report, exercise: str) -> str:
    return "\n".join(test.message for test in exercise_in(report, exercise).tests)
