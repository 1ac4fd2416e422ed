"""Each case is graded, and an honest submission after it by the same worker."""

import faulthandler
import json
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace

from autograder.course import Course
from autograder.errors import AutograderError, GraderFault, SubmissionError
from autograder.grading.settings import Settings
from autograder.grading.worker import grade_bytes
from autograder.report import ExerciseReport, Outcome, Report
from autograder.sandbox.limits import Isolation
from autograder.telling.pages import safe_html
from autograder.telling.pages.press import PRESS
from autograder.work.processes import call_beside
from tests.courses import solved
from tests.graders import LIMITS
from tests.hostile.cases import Case
from tests.hostile.handing_in import notebook_of, student_of
from tests.hostile.memory import MemoryWatch
from tests.hostile.pages import live_parts_of
from tests.hostile.school import School
from tests.hostile.witness import Witness
from tests.notebooks import code, filled

SEED = 1_669_956_211_048_739  # as a course draws one: nobody finds it by trying
MOST_GRADER = replace(LIMITS, grader_seconds=60.0, grader_mb=2048)
# Computing is what is bounded: on a busy machine four times as much time may pass.
MOST_SECONDS = 4 * (MOST_GRADER.notebook_seconds + MOST_GRADER.grader_seconds) + 20
MOST_REPORTED = 2 << 20  # characters
MOST_MEMORY = MOST_GRADER.grader_mb << 20  # bytes, beyond what the grader has at rest
_HANGS = 1200  # seconds; then it is not waited for any more: all ends, and says where it stands
_NOT_LOST = (Outcome.PASSED, Outcome.GRADER_ERROR)


class Trials:
    """Tries cases of one assignment on one level."""

    def __init__(self, course: Course, level: Isolation, assignment: str) -> None:
        self._course = course = course.with_seed(SEED)
        self._assignment = assignment
        self._settings = Settings(course, level, limits=MOST_GRADER, skip_slow=True)
        self._witness = Witness(course, assignment)
        neighbour = filled(course.release_path(assignment), solved(course, assignment))
        neighbour["cells"].append(code(f"note = {self._witness.secret!r}"))
        self._honest = json.dumps(neighbour).encode()
        self._right = self._grade(self._honest, "ada")
        assert self._right.score == self._right.max_score, self._right
        PRESS.warm(safe_html.get_ready)  # its worker stays, and is nothing that a case left
        self._memory = MemoryWatch(os.getpid())
        self._at_rest = self._memory.peak().most
        self._school: School | None = None

    def close(self) -> None:
        if self._school is not None:
            self._school.close()
        self._memory.close()
        self._witness.close()

    def complaints(self, case: Case) -> list[str]:
        """Return what of the case was not contained: nothing, if all is well."""
        self._witness.start()
        faulthandler.register(signal.SIGALRM, chain=True)  # a thread would keep us from forking
        signal.alarm(_HANGS)
        try:
            found = self._in_class(case) if case.in_class else self._alone(case)
            return [*found, *self._witness.complaints()]
        finally:
            signal.alarm(0)

    def _in_class(self, case: Case) -> list[str]:
        if self._school is None:  # made when the first case goes to class
            self._school = School(self._assignment, self._settings.isolation)
        return self._school.complaints(case, self._witness)

    def _grade(self, raw: bytes, student: str) -> Report:
        report = call_beside(grade_bytes, raw, self._settings, self._assignment)
        return Report.model_validate(report.model_dump(by_alias=True) | {"student": student})

    def _alone(self, case: Case) -> list[str]:
        self._memory.peak()
        found = [*self._graded(case), *self._neighbour()]
        taken = self._memory.peak().most - self._at_rest
        if taken > MOST_MEMORY:
            found.append(f"the grader took {taken >> 20} MB for it")
        return found

    def _graded(self, case: Case) -> Iterator[str]:
        raw = notebook_of(case, self._course, self._witness.places)
        started = time.monotonic()
        try:
            report = self._grade(raw, student_of(case))
        except SubmissionError as refusal:
            yield from _refusal(case, str(refusal))
        except GraderFault as fault:
            if not case.given_up:
                yield f"the grader gave it up: {fault}"
        except Exception as fault:  # whatever it is: an AutograderError would be a fault as well
            yield f"the grader raised {type(fault).__name__}: {fault}"
        else:
            if case.refused:
                yield "it was not refused"
            yield from _wrong_scores(case, report)
            yield from _words(case, report)
            yield from self._witness.leaks(case, report)
            yield from live_parts_of(report)
        if time.monotonic() - started > MOST_SECONDS:
            yield "it took too long"

    def _neighbour(self) -> Iterator[str]:
        try:
            if self._grade(self._honest, "ada") != self._right:
                yield "an honest submission got another report after it"
        except AutograderError as fault:
            yield f"an honest submission could not be graded after it: {fault}"


def _refusal(case: Case, said: str) -> Iterator[str]:
    if not case.refused:
        yield f"it was refused: {said}"
    elif case.refused not in said or "\n" in said:
        yield f"it was refused in other words: {said}"


def _wrong_scores(case: Case, report: Report) -> Iterator[str]:
    if case.given_up and not any(exercise.is_graded for exercise in report.exercises):
        return
    for exercise in report.exercises:
        if not _is_as_expected(case, exercise):
            most = case.at_most.get(exercise.name, exercise.max_score)
            why = next((test.message for test in exercise.tests if test.message), "no message")
            got = f"`{exercise.name}` got {exercise.score:g} of {most:g} and {exercise.outcome}"
            yield f"{got}: {why[:300]}"


def _is_as_expected(case: Case, exercise: ExerciseReport) -> bool:
    if outcomes := case.loses.get(exercise.name, ()):
        return exercise.score == 0 and exercise.outcome in outcomes
    if case.answers != "solved":
        return exercise.score == 0 and exercise.outcome not in _NOT_LOST
    if exercise.name in case.at_most:
        return exercise.score <= case.at_most[exercise.name]
    return exercise.score == exercise.max_score and exercise.outcome is Outcome.PASSED


def _words(case: Case, report: Report) -> Iterator[str]:
    lost = [exercise for exercise in report.exercises if exercise.score < exercise.max_score]
    said = "\n".join(test.message for exercise in lost for test in exercise.tests)
    if case.says not in said:
        yield f"it is not said that {case.says!r}, but: {said[:300]}"
    if case.warns not in "\n".join(report.warnings):
        yield f"there is no warning that {case.warns!r}, but: {report.warnings}"
    if len(report.to_json()) > MOST_REPORTED:
        yield "the report is too large"
