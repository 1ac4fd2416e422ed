"""A class of any size, drawn and not graded: its reports, its marks, and what it handed in."""

import ast
import math
import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from autograder.course import Course
from autograder.diagnosis.banks import banks_of
from autograder.gradebook.marks import Mark, Marks
from autograder.intake.submission import Release, filled, sha256
from autograder.report import (
    ExerciseReport,
    Misconception,
    Outcome,
    Report,
    Verdict,
    WrittenAnswer,
    totals,
)

NOTES = ("`softmax`: the cell had lost its grade_id; it was restored.",)


def simulated(course: Course, assignment: str, number: int, seed: int = 0) -> list[Report]:
    """Draw reports: each student has an ability, each check a difficulty of its own."""
    rng = random.Random(seed)
    release = Release.load(course, assignment)
    checks = {name: _titles(course, assignment, name) for name in release.exercises}
    banks = banks_of(course, assignment)
    tags = {name: [variant.tag for variant in bank.variants] for name, bank in banks.items()}
    difficulty = {(e, t): rng.gauss(-0.6, 1) for e, tests in checks.items() for t in tests}
    reports = []
    for place in range(number):
        ability = rng.gauss(0, 1.3)
        exercises = [
            _exercise(name, tests, ability, difficulty, tags.get(name, []), rng)
            for name, tests in checks.items()
        ]
        score, max_score = totals(exercises)
        reports.append(
            Report(
                assignment=assignment,
                student=f"student{place:04}",
                score=score,
                max_score=max_score,
                exercises=tuple(exercises),
                manual=tuple(
                    WrittenAnswer(name=name, max_score=most)
                    for name, most in release.written.items()
                ),
                warnings=NOTES if rng.random() < 0.03 else (),
                isolation="rootns",
            )
        )
    return reports


def _titles(course: Course, assignment: str, exercise: str) -> dict[str, str]:
    """Return what each hidden test of an exercise says that it checks, by the test's name."""
    path = course.exercises / assignment / "hidden_tests" / f"test_{exercise}.py"
    body = ast.parse(path.read_text("utf-8")).body
    tests = [n for n in body if isinstance(n, ast.FunctionDef) and n.name.startswith("test_")]
    return {test.name: ast.get_docstring(test) or test.name for test in tests}


def _exercise(
    name: str,
    tests: Mapping[str, str],
    ability: float,
    difficulty: dict[tuple[str, str], float],
    tags: Sequence[str],
    rng: random.Random,
) -> ExerciseReport:
    skipped = rng.random() < 0.25 / (1 + math.exp(2 * ability))
    verdicts = []
    for test, title in tests.items():
        holds = rng.random() < 1 / (1 + math.exp(2 * (difficulty[name, test] - ability)))
        outcome = Outcome.PASSED if holds else Outcome.FAILED
        outcome = Outcome.NOT_ATTEMPTED if skipped else outcome
        verdicts.append(
            Verdict(
                name=test,
                title=title,
                outcome=outcome,
                score=float(outcome is Outcome.PASSED),
                max_score=1,
                message="" if outcome is Outcome.PASSED else "It differs in most entries.",
            )
        )
    exercise = ExerciseReport.of(name, tuple(verdicts))
    if exercise.outcome is not Outcome.FAILED or rng.random() < 0.2 or not tags:
        return exercise
    tag = tags[min(len(tags) - 1, int(rng.expovariate(0.25)))]
    found = (Misconception(tag=tag, message="You …"),)
    return exercise.model_copy(update={"misconceptions": found})


def marks_of(reports: Iterable[Report], graded: float, seed: int = 0) -> list[Marks]:
    """Return what a gradebook would hold, with a share `graded` of the written answers graded."""
    rng = random.Random(seed)
    found = []
    for report in reports:
        each = [Mark(e.name, f"{e.name}_test", e.score, e.max_score) for e in report.exercises]
        for answer in report.manual:
            score = float(rng.randint(0, int(answer.max_score))) if rng.random() < graded else None
            each.append(Mark(answer.name, answer.name, score, answer.max_score, manual=score))
        found.append(Marks(report.assignment, report.student, tuple(each)))
    return found


def hand_in(course: Course, reports: Iterable[Report], answers: Path) -> list[Report]:
    """Hand in a wrong answer for each exercise that failed; return the reports on these."""
    done = []
    for number, report in enumerate(reports):
        sources = {}
        for exercise in report.exercises:
            if exercise.misconceptions:
                files = sorted((answers / report.assignment / exercise.name / "wrong").glob("*.py"))
                sources[exercise.name] = files[number % len(files)].read_text()
        release = course.release_path(report.assignment).read_text()
        raw = filled(release, sources)
        path = course.submission_path(report.student, report.assignment)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)
        done.append(report.model_copy(update={"notebook_sha256": sha256(raw)}))
    return done
