"""Print what became of the answers on file, and what each misconception costs."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from functools import reduce
from operator import add
from statistics import median

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tests.mutants.figures import Figures
from tests.mutants.results import Result
from tests.mutants.seeds import Strict, too_strict
from tests.mutants.tables import table_of
from tests.mutants.trials import Exercise, Fate, Kind

LOOK = "look"
_MAX_SEEDS = 10  # that are listed of those under which a right answer fails


def show_answers(results: Sequence[Result], console: Console) -> None:
    """Print how right and wrong answers fared, how long it took, and each that went wrong."""
    console.print(_figures(results), _times(results))
    for result in results:
        for line in _faults(result):
            console.print(Text(line), soft_wrap=True)


def show_marks(results: Sequence[Result], console: Console) -> None:
    """Print the marks that each misconception costs, most expensive first."""
    for result in results:
        if result.of(Kind.VARIANT):
            console.print(_marks(result))


def _figures(results: Sequence[Result]) -> Table:
    seeds = {trial.seed for result in results for trial in result.right}
    caption = (
        f"right: full marks under seeds {min(seeds)} to {max(seeds)}; named: by a true name, of "
        "those that have one; false: given a name that isn't theirs, of right and wrong answers"
    )
    columns = [field.name for field in fields(Figures)]
    table = table_of("Answers on file", "exercise", *columns, caption=caption)
    rows = [(result.exercise.name, result.figures) for result in results]
    all_together = ("all", reduce(add, (figures for _, figures in rows)))
    for name, figures in [*rows, all_together]:
        table.add_row(name, *(str(getattr(figures, column)) for column in columns))
    return table


def _times(results: Sequence[Result]) -> Table:
    caption = "ratio: of the medians; a right answer's tests take no diagnosis"
    columns = ("tests", "diagnosis", "worst", "ratio")
    table = table_of("Seconds that a wrong answer takes", "exercise", *columns, caption=caption)
    for result in results:
        if fates := [fate for fate in result.of(Kind.ANSWER) if fate.seconds]:
            tests = median(fate.seconds for fate in fates)
            diagnosis = [fate.diagnosis_seconds for fate in fates]
            typical = median(diagnosis)
            seconds = (f"{each:.3f}" for each in (tests, typical, max(diagnosis)))
            table.add_row(result.exercise.name, *seconds, f"{typical / tests:.1f}")
    return table


def _faults(result: Result) -> Iterator[str]:
    name = result.exercise.name
    for strict in too_strict(result.right):
        yield from _too_strict(result.exercise, strict)
    for trial in result.right:
        if trial.named:
            names = ", ".join(trial.named)
            yield f"{name}: the right answer {trial.answer} is called {names} (seed {trial.seed})"
    for fate in result.of(Kind.ANSWER):
        yield from (f"{name}: the wrong answer {fate.mutant.name} {told}" for told in _told(fate))


def _too_strict(exercise: Exercise, found: Strict) -> Iterator[str]:
    shown = ", ".join(map(str, found.seeds[:_MAX_SEEDS]))
    more = ", …" if len(found.seeds) > _MAX_SEEDS else ""
    yield (
        f"{exercise.name}: the right answer {found.answer} FAILS {found.test} under "
        f"{len(found.seeds)} seeds: {shown}{more}"
    )
    yield f"  {found.message}"
    again = f"{exercise.name} --answers --seeds 1 --seed-base {found.seeds[0]}"
    yield f"  Again: python -m tests.mutants {again}"


def _told(fate: Fate) -> Iterator[str]:
    if not fate.killed:
        yield "PASSES all hidden tests"
    if fate.false_names:
        yield f"is FALSELY called {', '.join(sorted(fate.false_names))}"
    if fate.mutant.tags and not fate.true_names:
        yield f"isn't called {' or '.join(fate.mutant.tags)}"


def _marks(result: Result) -> Table:
    title = f"Marks that misconceptions cost in {result.exercise.name}"
    caption = "look: more than two thirds, though something is computed and returned"
    table = table_of(title, "misconception", "marks", "", caption=caption)
    for fate in sorted(result.of(Kind.VARIANT), key=lambda fate: -fate.lost):
        remark = _remark(fate)
        style = "yellow" if remark == LOOK else ""
        table.add_row(fate.mutant.name, f"{fate.lost:g} of {fate.points:g}", remark, style=style)
    return table


def _remark(fate: Fate) -> str:
    """Say why a misconception costs most of the marks, or that somebody should look."""
    if fate.lost <= fate.points * 2 / 3:
        return ""
    if fate.crashes:
        return "crashes"
    return "returns nothing" if fate.mutant.name.endswith("nothing-returned") else LOOK
