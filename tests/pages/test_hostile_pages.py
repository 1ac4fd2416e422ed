"""Nothing that a hostile student wrote runs in the pages that nbgrader makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from autograder import gradebook
from autograder.authoring.release import release
from autograder.classroom.store import save
from autograder.course import Course
from autograder.sandbox.host.probe import strongest
from tests.courses import copy_of_kit
from tests.graders import Graders
from tests.hostile.cases import STUDENT, Case, catalogue
from tests.hostile.handing_in import notebook_of
from tests.hostile.pages import live_parts

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
        report = graders(HW1, strongest()).grade(raw, name_of(case))
        save(school, report)
        reports.append(report)
    gradebook.record(school, reports)
    gradebook.generate_feedback(school, [HW1])
    return school


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_nothing_in_the_feedback_runs(school: Course, case: Case) -> None:
    (page,) = Path(school.feedback, name_of(case), HW1).glob("*.html")
    shown = BeautifulSoup(page.read_text("utf-8"), "html.parser").select("#notebook")[0]
    assert "softmax" in shown.get_text()
    assert live_parts(shown) == []
