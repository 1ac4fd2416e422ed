"""Print what became of mutants and of the answers on file."""

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import add
from statistics import median

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tests.mutants.exercises import Kind, Mutant
from tests.mutants.figures import Figures
from tests.mutants.results import ExerciseResult, first_failed
from tests.mutants.trials import Fate, Strict, too_strict

_MAX_SEEDS = 10  # that are listed of those under which a right answer fails


def show(results: Sequence[ExerciseResult], console: Console) -> None:
    console.print(_kills(results), _diagnoses(results))
    for result in results:
        console.print(_tests(result))
    for result in results:
        _show_details(result, console)
    console.print(Text(f"\n{_conclusion(results)}", style="bold"))


def _table_of(title: str, first: str, *others: str, caption: str = "") -> Table:
    table = Table(title=title, caption=caption, box=box.SIMPLE_HEAD)
    table.title_justify = table.caption_justify = "left"
    table.add_column(first, overflow="fold")
    for name in others:
        table.add_column(name, justify="right")
    return table


def _kills(results: Sequence[ExerciseResult]) -> Table:
    caption = "right: slips that make no difference, as proved in equivalent.toml"
    table = _table_of("Killed mutants", "exercise", *Kind, "right", "survive", caption=caption)
    for result in results:
        tried = [result.of(kind) for kind in Kind]
        kills = [f"{sum(fate.killed for fate in fates)}/{len(fates)}" for fates in tried]
        spared, survivors = len(result.spared), len(result.survivors)
        table.add_row(result.exercise.name, *kills, str(spared), str(survivors))
    return table


def _diagnoses(results: Sequence[ExerciseResult]) -> Table:
    caption = "one: of two misconceptions one is named, which hides the other"
    columns = ("variants", "named", "pairs", "both", "one")
    table = _table_of("Named misconceptions", "exercise", *columns, caption=caption)
    for result in results:
        variants, pairs = result.of(Kind.VARIANT), result.of(Kind.PAIR)
        named = sum(fate.rightly_named for fate in variants)
        parts = [len(fate.named) for fate in pairs if fate.rightly_named]
        counts = (len(variants), named, len(pairs), parts.count(2), parts.count(1))
        table.add_row(result.exercise.name, *map(str, counts))
    return table


def _tests(result: ExerciseResult) -> Table:
    """Say how many mutants each hidden test is the first to fail for."""
    table = _table_of(f"First failures in {result.exercise.name}", "hidden test", *Kind)
    for test in result.exercise.tests:
        counts = [first_failed(result.of(kind), test) for kind in Kind]
        name = test.removeprefix("test_").replace("_", " ")
        table.add_row(name, *map(str, counts), style="" if any(counts) else "red")
    return table


def _show_details(result: ExerciseResult, console: Console) -> None:
    """Print each mutant that is misnamed or survives, what is listed in vain, and dead tests."""
    name = result.exercise.name
    for fate in result.misnamed:
        taken = " + ".join(fate.named) or "nothing"
        console.print(Text(f"\n{name}: {fate.mutant.name} is taken for {taken}"))
    for fate, equivalent in result.spared:
        _show(f"{name}: right all the same. {equivalent.proof}", fate.mutant, console)
    for fate in result.survivors:
        _show(f"{name}: SURVIVES {fate.mutant.name}", fate.mutant, console)
    for equivalent in result.outdated:
        console.print(Text(f"\n{name}: equivalent.toml lists what is no survivor; remove it:"))
        console.print(Text(f"  - {equivalent.before}\n  + {equivalent.after}"))
    for test in result.dead_tests:
        console.print(Text(f"\n{name}: {test} is DEAD, the first to fail for no mutant"))


def _show(title: str, mutant: Mutant, console: Console) -> None:
    console.print(Text(f"\n{title}"))
    for sign, lines, style in (("-", mutant.before, "red"), ("+", mutant.after, "green")):
        for line in lines.splitlines():
            console.print(Text(f"  {sign} {line}", style=style))


def _conclusion(results: Sequence[ExerciseResult]) -> str:
    slips = [fate for result in results for fate in result.of(Kind.SLIP)]
    killed = sum(fate.killed for fate in slips)
    survivors = sum(len(result.survivors) for result in results)
    dead = sum(len(result.dead_tests) for result in results)
    misnamed = sum(len(result.misnamed) for result in results)
    return (
        f"{killed} of {len(slips)} slips are killed ({killed / max(1, len(slips)):.1%}). Of all "
        f"mutants {survivors} survive without a proof, and {misnamed} are misnamed; "
        f"{dead} hidden tests are dead."
    )


def show_answers(results: Sequence[ExerciseResult], console: Console) -> None:
    """Print how right and wrong answers fared, how long it took, and each that went wrong."""
    console.print(_figures(results), _times(results))
    for result in results:
        for line in _faults(result):
            console.print(Text(line), soft_wrap=True)


def _figures(results: Sequence[ExerciseResult]) -> Table:
    seeds = {trial.seed for result in results for trial in result.right}
    caption = (
        f"right: full marks under seeds {min(seeds)} to {max(seeds)}; named: by a true name, of "
        "those that have one; false: given a name that isn't theirs, of right and wrong answers"
    )
    table = _table_of("Answers on file", "exercise", *Figures._fields, caption=caption)
    for result in results:
        table.add_row(result.exercise.name, *map(str, result.figures))
    columns = zip(*(result.figures for result in results), strict=True)
    table.add_row("all", *(str(reduce(add, column)) for column in columns))
    return table


def _times(results: Sequence[ExerciseResult]) -> Table:
    caption = "ratio: of the medians; a right answer's tests take no diagnosis"
    columns = ("tests", "diagnosis", "worst", "ratio")
    table = _table_of("Seconds that a wrong answer takes", "exercise", *columns, caption=caption)
    for result in results:
        if fates := [fate for fate in result.of(Kind.ANSWER) if fate.seconds]:
            tests = median(fate.seconds for fate in fates)
            diagnosis = [fate.diagnosis_seconds for fate in fates]
            typical = median(diagnosis)
            seconds = (f"{each:.3f}" for each in (tests, typical, max(diagnosis)))
            table.add_row(result.exercise.name, *seconds, f"{typical / tests:.1f}")
    return table


def _faults(result: ExerciseResult) -> Iterator[str]:
    name = result.exercise.name
    for strict in too_strict(result.right):
        yield from _too_strict(name, strict)
    for trial in result.right:
        if trial.named:
            names = ", ".join(trial.named)
            yield f"{name}: the right answer {trial.answer} is called {names} (seed {trial.seed})"
    for fate in result.of(Kind.ANSWER):
        yield from (f"{name}: the wrong answer {fate.mutant.name} {told}" for told in _told(fate))


def _too_strict(name: str, found: Strict) -> Iterator[str]:
    shown = ", ".join(map(str, found.seeds[:_MAX_SEEDS]))
    more = ", …" if len(found.seeds) > _MAX_SEEDS else ""
    under = f"{len(found.seeds)} seeds: {shown}{more}"
    yield f"{name}: the right answer {found.answer} FAILS {found.test} under {under}"
    yield f"  {found.message}"
    again = f"{name} --answers --seeds 1 --seed-base {found.seeds[0]}"
    yield f"  Again: python -m tests.mutants {again}"


def _told(fate: Fate) -> Iterator[str]:
    if not fate.killed:
        yield "PASSES all hidden tests"
    if fate.false_names:
        yield f"is FALSELY called {', '.join(sorted(fate.false_names))}"
    if fate.mutant.tags and not fate.true_names:
        yield f"isn't called {' or '.join(fate.mutant.tags)}"
