"""Nothing that a hostile student wrote runs in the pages that nbgrader makes of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag

from autograder.authoring.release import release
from autograder.course import Course
from autograder.gradebook import feedback
from autograder.gradebook.recording import record
from autograder.grading.submissions import job_of, save_report
from autograder.intake.release import Release
from autograder.intake.submission import sha256
from autograder.report import Report
from autograder.sandbox.host.probe import strongest
from autograder.statistics.class_report import class_page, content_of
from autograder.statistics.similar import (
    AnswerReader,
    Author,
    SharedPassages,
    SimilarPair,
    similar_page,
)
from tests.courses import EXERCISES, KIT, copy_of_kit
from tests.graders import Graders
from tests.hostile.cases import STUDENT, Case, catalogue
from tests.hostile.handing_in import notebook_of
from tests.hostile.pages import live_parts
from tests.statistics.reports import exercise, report

HW1 = "hw1_attention"
CASES = [case for case in catalogue() if case.kind == "feedback" and case.place != STUDENT]
pytestmark = pytest.mark.slow


def name_of(case: Case) -> str:
    return f"student{CASES.index(case):02}"


@pytest.fixture(scope="module")
def school(course: Course, graders: Graders, tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A course with all these cases graded, recorded and given back."""
    school = copy_of_kit(tmp_path_factory.mktemp("school"))
    release(school, [HW1])
    reports = []
    for case in CASES:
        raw = notebook_of(case, course, {})
        path = school.submission_path(name_of(case), HW1)
        path.parent.mkdir(parents=True)
        path.write_bytes(raw)
        report = graders(HW1, strongest()).grade(raw, job_of(school, name_of(case), HW1))
        save_report(school, report)
        reports.append(report)
    record(school, reports)
    feedback.write_feedback(school, [HW1])
    return school


def body_of(page: str) -> Tag:
    """Return the part of a page that is shown."""
    return BeautifulSoup(page, "html.parser").select_one("body") or Tag()


def as_if_graded(case: Case, raw: bytes) -> Report:
    """A report by which the answer holds a misconception, of which it may be the example."""
    name = case.place if (HW1, case.place) in EXERCISES else "softmax"
    graded = report(name_of(case), exercise(name, [0], 1, "first"))
    return graded.model_copy(update={"assignment": HW1, "notebook_sha256": sha256(raw)})


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory: pytest.TempPathFactory) -> tuple[Course, list[Report]]:
    """A course with all these cases handed in, and reports on them."""
    course, reports = copy_of_kit(tmp_path_factory.mktemp("handed")), []
    for case in CASES:
        raw = notebook_of(case, KIT, {})
        path = course.submission_path(name_of(case), HW1)
        path.parent.mkdir(parents=True)
        path.write_bytes(raw)
        reports.append(as_if_graded(case, raw))
    return course, reports


def test_nothing_in_the_class_report_runs(handed_in: tuple[Course, list[Report]]) -> None:
    """Each case is the example of its misconception, being alone in the class."""
    course, reports = handed_in
    for each in reports:
        page = class_page(course, content_of(course, HW1, [each]))
        assert live_parts(body_of(page)) == []
        assert "For example:" in page


def test_nothing_on_the_page_of_similar_answers_runs(
    handed_in: tuple[Course, list[Report]],
) -> None:
    course, reports = handed_in
    works = AnswerReader(Release.load(course, HW1)).handed_in(course, print)
    assert len(works) == len(reports)
    pairs = [pair for work in works for pair in alike(work)]
    assert live_parts(body_of(similar_page(HW1, len(works), pairs, pairs))) == []


def alike(work: Author) -> Iterator[SimilarPair]:
    """Yield a pair of each answer with itself, all of it marked."""
    for name, answer in work.answers.items():
        lines = frozenset(range(1, answer.code.count("\n") + 2))
        shared = SharedPassages(name, 1, (answer.code, answer.code), (lines, lines))
        yield SimilarPair((work.name, work.name), 1, 9, (shared,))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_nothing_in_the_feedback_runs(school: Course, case: Case) -> None:
    (page,) = Path(school.feedback, name_of(case), HW1).glob("*.html")
    shown = BeautifulSoup(page.read_text("utf-8"), "html.parser").select("#notebook")[0]
    assert "softmax" in shown.get_text()
    assert live_parts(shown) == []
