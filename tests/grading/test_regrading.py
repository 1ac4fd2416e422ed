"""What is on file and still holds is kept; what is graded again is announced, with the reason."""

from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import pytest

from autograder.grading.run import grade_class
from autograder.grading.settings import Settings
from autograder.grading.submissions import Graded, find_submissions, load_report, save_report
from autograder.report import Outcome, Report
from autograder.sandbox.host.probe import strongest
from autograder.sandbox.limits import Isolation
from autograder.work.processes import OpenWorkers, Workers
from tests.executors import Saying, beside, nobody
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS

PASSED = 9 * [Outcome.PASSED]


@pytest.fixture
def class_(toys: ToyClass) -> ToyClass:
    """A class of two that was graded."""
    for student in ("ada", "bo"):
        toys.hand_in(student, RIGHT)
        toys.report(student, *PASSED)
    return toys


def graded(
    class_: ToyClass, open_workers: OpenWorkers, **changes: Any
) -> tuple[list[Graded], list[str]]:
    """Grade the class once more; return what became of it, and what was announced."""
    settings = replace(Settings(class_.course, strongest()), **changes)
    jobs, said = find_submissions(settings.course, [TOYS]), list[str]()
    return list(grade_class(settings, jobs, open_workers, announce=said.append)), said


def change(class_: ToyClass, **update: Any) -> Report:
    """Change ada's report on file."""
    report = load_report(class_.course, "ada", TOYS)
    assert report is not None
    report = report.model_copy(update=update)
    save_report(class_.course, report)
    return report


@pytest.mark.parametrize("level", [Isolation.ROOTNS, Isolation.USERNS, Isolation.LOCKDOWN])
def test_a_report_that_was_made_under_another_level_of_isolation_is_kept(
    class_: ToyClass, level: Isolation
) -> None:
    kept = change(class_, isolation=level.value)
    results, said = graded(class_, nobody)
    assert results[0].report == kept
    assert said == []


def test_a_report_on_code_that_nothing_confined_is_made_again(class_: ToyClass) -> None:
    change(class_, isolation="unsafe", score=0.0)
    results, said = graded(class_, beside)
    report = next(each.report for each in results if each.job.student == "ada")
    assert report is not None
    assert (report.isolation, report.score) == (strongest(), 9)
    assert said == [
        "1 submission will be graded again: the student's code ran unconfined last time."
    ]


def test_who_insists_on_no_confinement_keeps_what_was_made_without(class_: ToyClass) -> None:
    change(class_, isolation="unsafe")
    assert graded(class_, nobody, isolation=Isolation.UNSAFE)[1] == []


def test_another_seed_is_announced(class_: ToyClass) -> None:
    course = class_.course.with_seed(7)
    seventh = ToyClass(course)
    for student in ("ada", "bo"):
        seventh.report(student, *PASSED)
    results, said = graded(class_, beside)
    assert said == ["2 submissions will be graded again: the seed changed."]
    ours = {each.report.fingerprint["seed"] for each in results if each.report}
    assert ours == {class_.report("ada", *PASSED).fingerprint["seed"]}


def test_another_hidden_test_is_announced(class_: ToyClass) -> None:
    path = class_.course.exercises / TOYS / "hidden_tests" / "test_double.py"
    path.write_text(path.read_text().replace("@points(1)", "@points(2)", 1))
    results, said = graded(class_, beside)
    assert said == ["2 submissions will be graded again: the hidden tests changed."]
    assert [each.report.max_score for each in results if each.report] == [10, 10]


def test_another_notebook_needs_no_announcement(class_: ToyClass) -> None:
    class_.hand_in("ada", {})
    results, said = graded(class_, beside)
    assert said == []
    scores = {each.job.student: each.report.score for each in results if each.report}
    assert scores == {"ada": 0, "bo": 9}


def test_a_worker_that_runs_another_version_is_to_be_restarted(class_: ToyClass) -> None:
    stale = change(class_, fingerprint={"grader": "older"}, score=1.0)
    results, _ = graded(class_, lambda: nullcontext(Workers(Saying(stale), 1)))
    assert results[0].job.student == "bo"  # whose report holds, and comes first
    assert results[1].report is None
    assert "restart the worker" in results[1].fault
    assert (
        load_report(class_.course, "ada", TOYS) == stale
    )  # what was there; the worker's isn't kept
