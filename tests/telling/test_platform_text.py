"""What a student reads on a platform about an exercise."""

from __future__ import annotations

from autograder.course.settings import GradescopeSettings
from autograder.platforms import gradescope_results
from autograder.report import Outcome
from autograder.telling.platform_text import MAX_TEXT, exercise_text, notes
from tests.platforms.packaging.gradescope_trees import Results
from tests.telling.reports import exercise, report, verdict


def test_long_messages_are_cut() -> None:
    assert len(exercise_text(exercise(verdict("a", message="x" * 10 * MAX_TEXT)))) < MAX_TEXT + 10


def test_a_fault_of_the_graders_is_in_no_text_for_students() -> None:
    found = exercise(verdict("a", Outcome.GRADER_ERROR, "NameError: arra"))
    assert "NameError" not in exercise_text(found)


def test_the_whole_begins_with_where_one_stands() -> None:
    said = report(exercise(verdict("a")), warnings=("A cell was restored.",))
    first, *_, last = notes(said, may_tell=True)
    assert first == "hw1: You have 0 of 1 point so far; 2 more wait for a person."
    assert last == "A cell was restored."
    assert notes(said, may_tell=False) == [last]


def test_results_follow_the_documented_schema_and_carry_the_misconceptions_tags() -> None:
    settings = GradescopeSettings(visibility="after_published")
    found = exercise(verdict("a"), named=True)
    content = gradescope_results.of_report(report(found), settings, 1.234)
    results = Results.model_validate(content)
    (test,) = results.tests
    assert test.tags == ["scaled"]
    assert test.visibility == results.visibility == "after_published"
    assert results.execution_time == 1.2
