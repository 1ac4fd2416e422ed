"""Reports on small exercises, for what counts them."""

from collections.abc import Sequence

from autograder.report import (
    ExerciseReport,
    Misconception,
    Outcome,
    Report,
    Verdict,
    WrittenAnswer,
    totals,
)


def verdict(outcome: Outcome, name: str, score: float, max_score: float = 1) -> Verdict:
    return Verdict(name=name, title=f"{name}.", outcome=outcome, score=score, max_score=max_score)


def exercise(name: str, scores: Sequence[float], most: float = 1, *tags: str) -> ExerciseReport:
    """An exercise whose checks came to `scores` of `most` points each."""
    tests = tuple(
        verdict(Outcome.PASSED if score == most else Outcome.FAILED, f"c{number}", score, most)
        for number, score in enumerate(scores)
    )
    found = tuple(Misconception(tag=tag, message=f"You {tag}.") for tag in tags)
    return ExerciseReport.of(name, tests).model_copy(update={"misconceptions": found})


def blank(name: str) -> ExerciseReport:
    """An exercise that was not attempted."""
    return ExerciseReport.of(name, (verdict(Outcome.NOT_ATTEMPTED, "c0", 0),))


def broken(name: str) -> ExerciseReport:
    """An exercise with a check that could not be run, and another that passed."""
    return ExerciseReport.of(
        name, (verdict(Outcome.GRADER_ERROR, "c0", 1), verdict(Outcome.PASSED, "c1", 1))
    )


def report(student: str, *exercises: ExerciseReport, written: Sequence[str] = ()) -> Report:
    score, max_score = totals(exercises)
    return Report(
        assignment="toys",
        student=student,
        score=score,
        max_score=max_score,
        exercises=exercises,
        manual=tuple(WrittenAnswer(name=name, max_score=4) for name in written),
        isolation="rootns",
    )
