"""Try every misconception on file, every two at once, and slips in every solution.

Ends with exit status 1 if a mutant survives that `equivalent.toml` doesn't list, if it lists one
that doesn't, if a hidden test is the first to fail for no mutant, or if mistakes are misnamed.
With --tag, it does if that one misconception survives or is misnamed, or if a right answer is taken
for it. An exercise or a misconception that isn't there gives exit status 2.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.progress import track

from autograder.course import Course
from autograder.errors import CourseError
from tests.mutants.equivalents import listed
from tests.mutants.exercises import exercise_named, exercises_of, mutants_of
from tests.mutants.results import Result
from tests.mutants.single import show_trial, try_one
from tests.mutants.tables import show
from tests.mutants.trials import Batch, Exercise, fates_of, forkserver_context


def main() -> None:
    """Print what became of the mutants of the exercises named, or of all."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("exercise", nargs="*", help="try the mutants of these alone")
    parser.add_argument("--tag", help="of one exercise, try this misconception alone: in seconds")
    arguments = parser.parse_args()
    if arguments.tag and len(arguments.exercise) != 1:
        parser.error("--tag is a misconception of one exercise: name that exercise, too.")
    try:
        sys.exit(_run(arguments.exercise, arguments.tag, Console()))
    except CourseError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


def _run(names: Sequence[str], tag: str | None, console: Console) -> bool:
    """Try what was asked for; tell whether anything is in trouble."""
    course = Course.find()
    if tag:
        forkserver_context()  # imports while this process does
        trial = try_one(exercise_named(course, names[0]), tag)
        show_trial(trial, console)
        return trial.troubled
    exercises = list(exercises_of(course))
    known = [exercise.name for exercise in exercises]
    if unknown := [name for name in names if name not in known]:
        raise CourseError(f"There is no exercise {unknown[0]!r}: choose from {', '.join(known)}.")
    results = try_mutants_of([e for e in exercises if not names or e.name in names], console)
    show(results, console)
    return any(result.troubled for result in results)


def try_mutants_of(exercises: Sequence[Exercise], console: Console) -> list[Result]:
    """Try all mutants of `exercises`, with a progress bar."""
    batches = [Batch(exercise, tuple(mutants_of(exercise))) for exercise in exercises]
    fates = fates_of(batches, workers=os.cpu_count() or 1)
    tried = list(track(fates, "Trying mutants", total=len(batches), console=console))
    equivalents = listed()
    return [Result(*each, equivalents) for each in zip(exercises, tried, strict=True)]


if __name__ == "__main__":
    main()
