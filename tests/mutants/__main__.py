"""Try every misconception on file, every two at once, slips in every solution, and all answers.

Ends with exit status 1 if a mutant survives that `equivalent.toml` doesn't list, if it lists one
that doesn't, if a hidden test is the first to fail for no mutant, if mistakes are misnamed, or if a
figure is worse than in `figures.toml`, or a misconception costs other points than in `marks.toml`.
With --answers or --marks, it does for figures or points alone. With --tag, it does if that one
misconception survives or is misnamed, or if a right answer is taken for it. An exercise or
misconception that isn't there, and a wrong answer that doesn't say what it is called, give exit
status 2.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from rich.console import Console
from rich.progress import track
from rich.text import Text

from autograder.course import Course
from autograder.errors import CourseError
from autograder.work.processes import start_server
from tests.mutants import figures, marks
from tests.mutants.exercises import (
    Exercise,
    Mutant,
    exercise_named,
    exercises_of,
    misconceptions_of,
    mutants_of,
    wrong_answers_of,
)
from tests.mutants.processes import TAKE_SECONDS_TO_IMPORT, results_of_all
from tests.mutants.results import ExerciseResult, listed
from tests.mutants.single import show_trial, try_one
from tests.mutants.tables import show, show_answers
from tests.mutants.trials import job_of, trials_of_all


def main() -> None:
    """Print what became of the mutants of the exercises named, or of all."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("exercise", nargs="*", help="try the mutants of these alone")
    parser.add_argument("--tag", help="of one exercise, try this misconception alone: in seconds")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--answers", action="store_true", help="try the answers on file alone")
    only.add_argument("--marks", action="store_true", help="see what misconceptions cost, alone")
    parser.add_argument("--seeds", type=int, default=5, help="that right answers are tried under")
    parser.add_argument("--seed-base", type=int, default=0, help="the first of these seeds")
    parser.add_argument("--write-figures", action="store_true", help="keep what they are now")
    arguments = parser.parse_args()
    if arguments.tag and len(arguments.exercise) != 1:
        parser.error("--tag is a misconception of one exercise: name that exercise, too.")
    if arguments.seeds < 1:
        parser.error("--seeds is how many seeds to try: one at least.")
    try:
        sys.exit(_run(arguments, Console()))
    except CourseError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


def _run(arguments: argparse.Namespace, console: Console) -> bool:
    """Try what was asked for; tell whether anything is in trouble."""
    course = Course.find().with_seed(0)  # so that figures are the same wherever they are counted
    if arguments.tag:
        start_server(TAKE_SECONDS_TO_IMPORT)  # it imports while this process does
        trial = try_one(exercise_named(course, arguments.exercise[0]), arguments.tag)
        show_trial(trial, console)
        return trial.troubled
    exercises = list(exercises_of(course, arguments.exercise))
    if arguments.marks:
        results = wrong_results_of(exercises, misconceptions_of, console)
        return _show_marks(results, arguments, console)
    mutants = wrong_answers_of if arguments.answers else mutants_of
    seeds = range(arguments.seed_base, arguments.seed_base + arguments.seeds)
    results = with_right_answers(wrong_results_of(exercises, mutants, console), seeds, console)
    is_troubled = False
    if not arguments.answers:
        is_troubled = _show_marks(results, arguments, console)
        is_troubled |= any(result.troubled for result in results)
        show(results, console)
    show_answers(results, console)
    if arguments.write_figures:
        figures.write((result.exercise, result.figures) for result in results)
    return _show_worse(results, console) or is_troubled


def wrong_results_of(
    exercises: Sequence[Exercise],
    mutants: Callable[[Exercise], Iterator[Mutant]],
    console: Console,
) -> list[ExerciseResult]:
    """Try mutants of `exercises`, with a progress bar."""
    fates = results_of_all([job_of(exercise, mutants(exercise)) for exercise in exercises])
    tried = track(fates, "Trying wrong answers", len(exercises), console=console)
    equivalents = listed()
    return [
        ExerciseResult(exercise, found, equivalents)
        for exercise, found in zip(exercises, tried, strict=True)
    ]


def with_right_answers(
    results: Sequence[ExerciseResult], seeds: range, console: Console
) -> list[ExerciseResult]:
    """Try the exercises' right answers under `seeds`, with a progress bar."""
    trials = trials_of_all([result.exercise for result in results], seeds)
    words = f"Trying right answers, seeds {seeds[0]} to {seeds[-1]}"
    tried = track(trials, words, len(results), console=console)
    return [replace(result, right=right) for result, right in zip(results, tried, strict=True)]


def _show_marks(
    results: Sequence[ExerciseResult], arguments: argparse.Namespace, console: Console
) -> bool:
    """Print what misconceptions cost; tell whether any costs something else than on file."""
    results = [result for result in results if marks.costs_of(result)]
    for result in results:
        console.print(marks.table_of(result))
    if arguments.write_figures:
        marks.write(results)
    kept = marks.on_file()
    changed = [sentence for result in results for sentence in marks.changed(result, kept)]
    for sentence in changed:
        console.print(Text(sentence, style="red"), soft_wrap=True)
    return bool(changed)


def _show_worse(results: Sequence[ExerciseResult], console: Console) -> bool:
    """Print each figure that is worse than the one on file; tell whether there is any."""
    kept = figures.on_file()
    worse = [s for each in results for s in figures.worse(each.exercise, each.figures, kept)]
    for sentence in worse:
        console.print(Text(sentence, style="red"), soft_wrap=True)
    return bool(worse)


if __name__ == "__main__":
    main()
