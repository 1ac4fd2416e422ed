"""A class of five that handed in toys, graded and recorded once; and a course to spoil."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from autograder import gradebook
from autograder.authoring.release import release
from autograder.classroom.store import save
from autograder.course import Course
from autograder.grading.settings import Settings
from autograder.intake.submission import sha256
from autograder.report import CellOutput, ExerciseReport, Outcome, Report, Verdict, WrittenAnswer
from autograder.sandbox.isolation import Isolation
from tests.toys import course_of, points_of

SCRIPT = "<script>document.title = 'pwned'</script><img src=x onerror=alert(1)>"
RIGHT = {"double": "def double(x):\n    return x + x", "Counter": "class Counter:\n    pass"}

CLAIM: dict[str, Any] = {
    "cell_type": "code",
    "id": "double_test",
    "source": "double(2)",
    "metadata": {},
    "execution_count": 1,
    "outputs": [
        {
            "output_type": "execute_result",
            "data": {"text/plain": "99"},
            "metadata": {},
            "execution_count": 1,
        }
    ],
}


@dataclass(frozen=True)
class Toys:
    """A course in which students hand in toys."""

    course: Course

    def hand_in(self, student: str, answers: dict[str, str], *extra: dict[str, Any]) -> None:
        """Hand in the release with `answers` in it, by grade_id, and `extra` cells behind."""
        content = json.loads(self.course.release_path("toys").read_bytes())
        for cell in content["cells"]:
            cell["source"] = answers.get(cell["id"], cell["source"])
        content["cells"] += extra
        self.hand_in_bytes(student, json.dumps(content).encode())

    def hand_in_bytes(self, student: str, raw: bytes) -> None:
        """Hand in a file."""
        path = self.course.submission_path(student, "toys")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)

    def report(self, student: str, *outcomes: Outcome, **fields: Any) -> Report:
        """Keep a report on file: `outcomes` are those of the nine hidden tests of toys."""
        verdicts = [
            Verdict(
                name=f"test_{number}",
                title=f"Law {number} holds.",
                outcome=outcome,
                score=outcome in (Outcome.PASSED, Outcome.GRADER_ERROR),
                max_score=1,
                message="" if outcome is Outcome.PASSED else f"`law_{number}` is <broken> *here*.",
            )
            for number, outcome in enumerate(outcomes)
        ]
        exercises = (
            ExerciseReport.of("double", tuple(verdicts[:5])),
            ExerciseReport.of("Counter", tuple(verdicts[5:])),
        )
        raw = self.course.submission_path(student, "toys").read_bytes()
        settings = Settings(self.course, Isolation.ROOTNS)
        report = Report(
            assignment="toys",
            student=student,
            score=sum(exercise.score for exercise in exercises),
            max_score=9,
            exercises=exercises,
            manual=(WrittenAnswer(name="why", max_score=2),),
            notebook_sha256=sha256(raw),
            isolation=settings.isolation,
            rules=rules_of(settings, "toys"),
            **fields,
        )
        save(self.course, report)
        return report


@pytest.fixture(scope="session")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """Toys, released and in the gradebook: to copy from, since a new gradebook takes seconds."""
    course = course_of(tmp_path_factory.mktemp("fresh"))
    release(course, ["toys"], points_of)
    gradebook.formgrader_command(course)
    return course


@pytest.fixture
def toys(fresh: Course, tmp_path: Path) -> Toys:
    """A course in which nobody handed anything in yet."""
    return toys_like(fresh, tmp_path)


def toys_like(fresh: Course, folder: Path) -> Toys:
    return Toys(Course(Path(shutil.copytree(fresh.root, folder / "course"))))


@pytest.fixture(scope="session")
def recorded(fresh: Course, tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A course with a class recorded and its feedback written; tests only look at it."""
    toys = toys_like(fresh, tmp_path_factory.mktemp("class"))
    passed, failed = Outcome.PASSED, Outcome.FAILED
    toys.hand_in("ada", RIGHT | {"why": "Because twice is twice."})
    toys.hand_in("blank", {})
    toys.hand_in("partly", RIGHT)
    toys.hand_in("çağla", {}, CLAIM, CLAIM | {"id": "x"})
    toys.hand_in(
        "hostile",
        {"double": f"# {SCRIPT}", "why": f"Why? {SCRIPT} [press](javascript:alert(1))"},
        {"cell_type": "markdown", "id": "own", "metadata": {}, "source": f"# mine {SCRIPT}"},
    )
    outputs = (CellOutput(cell="double", text=SCRIPT, error=f"ValueError: {SCRIPT}"),)
    reports = [
        toys.report("ada", *9 * [passed]),
        toys.report("blank", *9 * [Outcome.NOT_ATTEMPTED]),
        toys.report("partly", *3 * [passed], *2 * [failed], *4 * [passed]),
        toys.report("çağla", *9 * [Outcome.NOT_ATTEMPTED], warnings=("A cell was <lost>.",)),
        toys.report("hostile", *9 * [failed], cells=outputs, warnings=(SCRIPT,)),
    ]
    gradebook.record(toys.course, reports)
    gradebook.generate_feedback(toys.course, ["toys"])
    return toys.course
