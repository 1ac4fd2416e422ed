"""A class that hands in toys: its notebooks, and reports on them."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from autograder.authoring.release import release
from autograder.course import Course
from autograder.gradebook.steps import formgrader_command
from autograder.grading.fingerprint import fingerprint
from autograder.grading.settings import Settings
from autograder.grading.submissions import save_report
from autograder.intake.submission import sha256
from autograder.report import ExerciseReport, Outcome, Report, Verdict, WrittenAnswer, totals
from autograder.sandbox.limits import Isolation
from tests.notebooks import code, filled
from tests.toys import TOYS

SCRIPT = "<script>document.title = 'pwned'</script><img src=x onerror=alert(1)>"
# A student's own cell that looks like a graded one with a score of 99.
_OUTPUT = {"output_type": "execute_result", "data": {"text/plain": "99"}, "metadata": {}}
CLAIM: dict[str, Any] = code("double(2)") | {
    "id": "double_test",
    "execution_count": 1,
    "outputs": [_OUTPUT | {"execution_count": 1}],
}


def in_the_gradebook(course: Course) -> Course:
    """Return a course to copy from, released and in a gradebook: making one takes seconds."""
    release(course, [TOYS])
    formgrader_command(course)
    return course


@dataclass(frozen=True)
class ToyClass:
    course: Course

    @classmethod
    def like(cls, fresh: Course, folder: Path) -> Self:
        """Return a class of its own in a copy of a course."""
        return cls(Course.load(Path(shutil.copytree(fresh.root, folder / "course"))))

    def hand_in(self, student: str, answers: dict[str, str], *extra: dict[str, Any]) -> None:
        """Hand in the release with `answers` in it, by grade_id, and `extra` cells behind."""
        content = filled(self.course.release_path(TOYS), answers)
        content["cells"] += extra
        self.hand_in_bytes(student, json.dumps(content).encode())

    def hand_in_bytes(self, student: str, raw: bytes) -> None:
        path = self.course.submission_path(student, TOYS)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)

    def report(self, student: str, *outcomes: Outcome, **fields: Any) -> Report:
        """Keep a report on file: `outcomes` are those of the nine hidden tests of toys."""
        verdicts = tuple(_verdict(*each) for each in enumerate(outcomes))
        exercises = (
            ExerciseReport.of("double", verdicts[:5]),
            ExerciseReport.of("Counter", verdicts[5:]),
        )
        score, max_score = totals(exercises)
        settings = Settings(self.course, Isolation.ROOTNS)
        report = Report(
            assignment=TOYS,
            student=student,
            score=score,
            max_score=max_score,
            exercises=exercises,
            manual=(WrittenAnswer(name="why", max_score=2),),
            notebook_sha256=sha256(self.course.submission_path(student, TOYS).read_bytes()),
            isolation=settings.isolation,
            fingerprint=fingerprint(settings, TOYS),
            **fields,
        )
        save_report(self.course, report)
        return report


def _verdict(number: int, outcome: Outcome) -> Verdict:
    return Verdict(
        name=f"test_{number}",
        title=f"Law {number} holds.",
        outcome=outcome,
        score=outcome in (Outcome.PASSED, Outcome.GRADER_ERROR),
        max_score=1,
        message="" if outcome is Outcome.PASSED else f"`law_{number}` is <broken> *here*.",
    )
