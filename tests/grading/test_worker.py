"""A submission is examined in a process of its own, whose end is nobody else's problem."""

import json
import subprocess
from dataclasses import replace

import pytest

from autograder.course import Course
from autograder.errors import ExaminerDied, SubmissionError
from autograder.grading.grader import LEARNS_AFTER, Grader
from autograder.grading.settings import Settings
from autograder.grading.worker import grade_bytes, grade_forked
from autograder.report import Report
from autograder.sandbox.host.probe import strongest
from autograder.sandbox.limits import Limits
from autograder.work.processes import call_beside
from tests.courses import KIT, copy_of_kit, solved
from tests.notebooks import filled
from tests.toys import RIGHT, TOYS

pytestmark = pytest.mark.slow  # an examiner ends, or is made anew, in each

WRONG = RIGHT | {"double": "def double(x):\n    return x"}
LITTLE = Limits(grader_mb=1)
LISTS = 2_000_000  # that many empty lists take more than a process of any age has free


@pytest.fixture(scope="module")
def settings(fresh: Course) -> Settings:
    return Settings(fresh, strongest())


def handed_in(settings: Settings, answers: dict[str, str], assignment: str = TOYS) -> bytes:
    return json.dumps(filled(settings.course.release_path(assignment), answers)).encode()


def with_lists(raw: bytes) -> bytes:
    """Return a notebook file with a field that takes much memory to read."""
    return raw.removesuffix(b"}") + b', "lists": [' + b"[]," * LISTS + b"0]}"


def graded(raw: bytes, settings: Settings) -> Report:
    return call_beside(grade_bytes, raw, settings, TOYS)


def test_the_report_is_the_same_as_from_the_process_that_calls(settings: Settings) -> None:
    raw = handed_in(settings, WRONG)
    with Grader(settings, TOYS) as grader:
        assert graded(raw, settings) == grader.grade(raw)


def test_a_grader_that_has_learned_from_the_solution_reports_what_it_did_before(
    settings: Settings,
) -> None:
    answers = [handed_in(settings, RIGHT), handed_in(settings, WRONG)]
    with Grader(settings, TOYS) as grader:
        before = [grader.grade(raw) for raw in answers]
        for _ in range(LEARNS_AFTER + 1):
            grader.prepare()
        assert [grader.grade(raw) for raw in answers] == before
    assert [report.score for report in before] == [9, 5]


def test_what_is_no_submission_is_refused_in_the_same_words(settings: Settings) -> None:
    with pytest.raises(SubmissionError, match="invalid JSON"):
        graded(b"{", settings)


def test_an_examiner_that_reaches_its_bounds_is_told_of_in_a_sentence(settings: Settings) -> None:
    large, little = with_lists(handed_in(settings, RIGHT)), replace(settings, limits=LITTLE)
    with pytest.raises(ExaminerDied, match=r"memory \(300 s of computing and 1 MB are allowed\)"):
        graded(large, little)


def graded_after_a_death(raw: bytes, settings: Settings) -> float:
    """Return the score of a submission after the death of what examined it first."""
    with Grader(settings, TOYS) as grader:
        grader.limits = LITTLE
        with pytest.raises(ExaminerDied):
            grade_forked(grader, with_lists(raw))
        grader.limits = Limits()
        return grade_forked(grader, raw).score


def test_after_an_examiners_death_the_next_submission_is_graded_as_ever(settings: Settings) -> None:
    raw = handed_in(settings, RIGHT)
    assert call_beside(graded_after_a_death, raw, settings) == graded(raw, settings).score


def remembered(raw: bytes, settings: Settings) -> list[int]:
    """Return how many replies of suspects are known after each of two equal submissions."""
    with Grader(settings, "hw1_attention") as grader:
        known = []
        for _ in range(2):
            grade_forked(grader, raw)
            known.append(len(grader.examiner.diagnosis.memory))
        return known


def test_what_one_examiner_finds_out_the_next_one_knows(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    school = Settings(copy_of_kit(tmp_path_factory.mktemp("school")), strongest())
    wrong = solved(KIT, "hw1_attention") | {"softmax": "def softmax(x):\n    return x / x.sum()"}
    first, second = call_beside(remembered, handed_in(school, wrong, "hw1_attention"), school)
    assert first > 0
    assert second == first


def graded_while_the_warm_process_is_killed(raw: bytes, settings: Settings) -> Report:
    """Grade a notebook that takes some time, and kill what its processes are forked from."""
    with Grader(settings, TOYS) as grader:
        grader.prepare()
        later = f"sleep 0.7; kill -9 {grader.warm.pid}"
        with subprocess.Popen(["sh", "-c", later]) as killer:
            report = grade_forked(grader, raw)
        assert killer.returncode == 0
    return report


def test_a_warm_process_that_somebody_kills_costs_nobody_anything(settings: Settings) -> None:
    slow = "import time\ntime.sleep(1)\n"
    raw = handed_in(settings, {name: slow + source for name, source in RIGHT.items()})
    report = call_beside(graded_while_the_warm_process_is_killed, raw, settings)
    assert (report.score, report.max_score) == (9, 9)
