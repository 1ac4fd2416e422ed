"""Try every misconception on file, every two at once, and slips in every solution.

Ends with exit status 1 if a mutant survives that `equivalent.toml` doesn't list, if it lists one
that doesn't, if a hidden test is the first to fail for no mutant, or if mistakes are misnamed.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.progress import track

from autograder.course import Course
from tests.mutants.equivalents import listed
from tests.mutants.exercises import exercises_of, mutants_of
from tests.mutants.results import Result
from tests.mutants.tables import show
from tests.mutants.trials import Batch, Exercise, fates_of


def main() -> None:
    """Print what became of the mutants of the exercises named, or of all."""
    arguments = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    arguments.add_argument("exercise", nargs="*", help="try the mutants of these alone")
    names = arguments.parse_args().exercise
    exercises = [e for e in exercises_of(Course.find()) if not names or e.name in names]
    console = Console()
    results = try_mutants_of(exercises, console)
    show(results, console)
    sys.exit(any(result.troubled for result in results))


def try_mutants_of(exercises: Sequence[Exercise], console: Console) -> list[Result]:
    """Try all mutants of `exercises`, with a progress bar."""
    batches = [Batch(exercise, tuple(mutants_of(exercise))) for exercise in exercises]
    fates = fates_of(batches, workers=os.cpu_count() or 1)
    tried = list(track(fates, "Trying mutants", total=len(batches), console=console))
    equivalents = listed()
    return [Result(*each, equivalents) for each in zip(exercises, tried, strict=True)]


if __name__ == "__main__":
    main()
