"""What a student reads on a platform about an exercise."""

from __future__ import annotations

from autograder.course.settings import GradescopeSettings
from autograder.platforms.packages import gradescope_results
from autograder.platforms.packages.feedback_text import MAX_TEXT, exercise_text, notes
from autograder.report import (
    FOLLOWED_THROUGH,
    ExerciseReport,
    Misconception,
    Outcome,
    Report,
    Verdict,
    WrittenAnswer,
)
from tests.platforms.packages.gradescope_trees import Results

SCALED = Misconception(tag="scaled", message="You divided by d_k, not √d_k.")


def verdict(name: str, outcome: Outcome = Outcome.FAILED, message: str = "") -> Verdict:
    score = float(outcome in (Outcome.PASSED, Outcome.GRADER_ERROR))
    return Verdict(
        name=name, title=f"It {name}s.", outcome=outcome, score=score, max_score=1, message=message
    )


def exercise(*verdicts: Verdict) -> ExerciseReport:
    return ExerciseReport.of("attend", verdicts)


def report(each: ExerciseReport, *warnings: str) -> Report:
    return Report(
        assignment="hw1",
        student="",
        score=each.score,
        max_score=each.max_score,
        exercises=(each,),
        manual=(WrittenAnswer(name="why", max_score=2),),
        warnings=warnings,
    )


def test_the_misconception_comes_first_then_what_passed_and_what_did_not() -> None:
    tests = (verdict("sum", Outcome.PASSED), verdict("scale", message="It is too small."))
    found = exercise(*tests).model_copy(update={"misconceptions": (SCALED,)})
    assert exercise_text(found).splitlines() == [
        "→ You divided by d_k, not √d_k.",
        "",
        "✓ It sums. (1/1)",
        "✗ It scales. (0/1)",
        "    It is too small.",
    ]


def test_a_reason_is_given_once() -> None:
    text = exercise_text(
        exercise(verdict("a", message="Off by 1."), verdict("b", message="Off by 2."))
    )
    assert "Off by 1." in text
    assert "As above." in text


def test_that_an_earlier_mistake_was_followed_through_is_said() -> None:
    found = exercise(verdict("a")).model_copy(update={"followed_through": True})
    assert FOLLOWED_THROUGH in exercise_text(found)


def test_long_messages_are_cut() -> None:
    assert len(exercise_text(exercise(verdict("a", message="x" * 10 * MAX_TEXT)))) < MAX_TEXT + 10


def test_a_fault_of_the_graders_is_in_no_text_for_students() -> None:
    found = exercise(verdict("a", Outcome.GRADER_ERROR, "NameError: arra"))
    said = report(found, "A cell was restored.")
    assert "NameError" not in exercise_text(found)
    assert notes(said)[0] == "A cell was restored."
    assert "`why` (2 points) is not graded yet" in notes(said)[1]


def test_results_follow_the_documented_schema_and_carry_the_misconceptions_tags() -> None:
    found = exercise(verdict("a")).model_copy(update={"misconceptions": (SCALED,)})
    settings = GradescopeSettings(visibility="after_published")
    content = gradescope_results.of_report(report(found), settings, 1.234)
    results = Results.model_validate(content)
    (test,) = results.tests
    assert test.tags == ["scaled"]
    assert test.visibility == results.visibility == "after_published"
    assert results.execution_time == 1.2


def test_the_results_that_are_left_when_the_grader_is_killed_follow_the_schema() -> None:
    content = gradescope_results.of_fault("It was killed.")
    assert Results.model_validate(content).score == 0
