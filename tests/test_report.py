"""A report says what was found, and says it once."""

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


def test_an_exercise_that_nothing_was_found_out_about_is_not_passed() -> None:
    faulty = verdict("a", outcome=Outcome.GRADER_ERROR)
    assert ExerciseReport.of("f", (faulty, faulty)).outcome is Outcome.GRADER_ERROR
    passed = verdict("b", outcome=Outcome.PASSED)
    assert ExerciseReport.of("f", (passed, faulty)).outcome is Outcome.GRADER_ERROR


def test_what_the_student_has_to_look_at_goes_before_a_fault_of_ours() -> None:
    tests = (verdict("a", outcome=Outcome.GRADER_ERROR), verdict("b", outcome=Outcome.TIMEOUT))
    assert ExerciseReport.of("f", tests).outcome is Outcome.TIMEOUT
