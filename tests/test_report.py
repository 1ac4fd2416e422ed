"""A report says what was found, and says it once."""

from __future__ import annotations

from autograder.report import ExerciseReport, Outcome, Verdict


def verdict(name: str, message: str = "", outcome: Outcome = Outcome.FAILED) -> Verdict:
    return Verdict(name=name, title=name, outcome=outcome, score=0, max_score=1, message=message)


def test_the_same_reason_is_given_once_whatever_its_numbers() -> None:
    tests = (
        verdict("a", outcome=Outcome.PASSED),
        verdict("b", "3 meets 4."),
        verdict("c", "5 meets 7."),
        verdict("d", "Rows don't sum to 1."),
    )
    assert [test.name for test in ExerciseReport.of("f", tests).reasons()] == ["b", "d"]
