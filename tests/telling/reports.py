"""Reports to tell a student about."""

from autograder.report import (
    ExerciseReport,
    Misconception,
    Outcome,
    Report,
    Verdict,
    WrittenAnswer,
    totals,
)

SCALED = Misconception(tag="scaled", message="You divided by d_k, not √d_k.")


def verdict(
    name: str, outcome: Outcome = Outcome.FAILED, message: str = "", idea: str = ""
) -> Verdict:
    return Verdict(
        name=name,
        title=f"It {name}s.",
        outcome=outcome,
        score=float(outcome in (Outcome.PASSED, Outcome.GRADER_ERROR)),
        max_score=1,
        message=message,
        idea=idea,
    )


def exercise(*verdicts: Verdict, name: str = "attend", named: bool = False) -> ExerciseReport:
    found = ExerciseReport.of(name, verdicts)
    return found.model_copy(update={"misconceptions": (SCALED,)}) if named else found


def report(*exercises: ExerciseReport, warnings: tuple[str, ...] = (), worth: float = 2) -> Report:
    """A report with a written answer that is `worth` so many points."""
    score, most = totals(exercises)
    return Report(
        assignment="hw1",
        student="ada",
        score=score,
        max_score=most,
        exercises=exercises,
        manual=(WrittenAnswer(name="why", max_score=worth),),
        warnings=warnings,
    )
