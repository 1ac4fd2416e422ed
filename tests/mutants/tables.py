"""Print what became of the mutants."""

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tests.mutants.results import Result, first_failed
from tests.mutants.trials import Fate, Kind, Mutant


def show(results: Sequence[Result], console: Console) -> None:
    """Print the tables, then what needs a look."""
    console.print(_kills(results), _diagnoses(results))
    for result in results:
        console.print(_tests(result))
    for result in results:
        _show_details(result, console)
    console.print(Text(f"\n{_conclusion(results)}", style="bold"))


def table_of(title: str, first: str, *others: str, caption: str = "") -> Table:
    table = Table(title=title, caption=caption, box=box.SIMPLE_HEAD)
    table.title_justify = table.caption_justify = "left"
    table.add_column(first, overflow="fold")
    for name in others:
        table.add_column(name, justify="right")
    return table


def _kills(results: Sequence[Result]) -> Table:
    caption = "right: slips that make no difference, as proved in equivalent.toml"
    table = table_of("Killed mutants", "exercise", *Kind, "right", "survive", caption=caption)
    for result in results:
        kills = [_killed(result.of(kind)) for kind in Kind]
        spared, survivors = len(result.spared), len(result.survivors)
        table.add_row(result.exercise.name, *kills, str(spared), str(survivors))
    return table


def _diagnoses(results: Sequence[Result]) -> Table:
    caption = "one: of two misconceptions one is named, which hides the other"
    columns = ("variants", "named", "pairs", "both", "one")
    table = table_of("Named misconceptions", "exercise", *columns, caption=caption)
    for result in results:
        variants, pairs = result.of(Kind.VARIANT), result.of(Kind.PAIR)
        named = sum(fate.rightly_named for fate in variants)
        parts = [len(fate.named) for fate in pairs if fate.rightly_named]
        counts = (len(variants), named, len(pairs), parts.count(2), parts.count(1))
        table.add_row(result.exercise.name, *map(str, counts))
    return table


def _killed(fates: Sequence[Fate]) -> str:
    return f"{sum(fate.killed for fate in fates)}/{len(fates)}"


def _tests(result: Result) -> Table:
    """Say how many mutants each hidden test is the first to fail for."""
    table = table_of(f"First failures in {result.exercise.name}", "hidden test", *Kind)
    for test in result.exercise.tests:
        counts = [first_failed(result.of(kind), test) for kind in Kind]
        name = test.removeprefix("test_").replace("_", " ")
        table.add_row(name, *map(str, counts), style="" if any(counts) else "red")
    return table


def _show_details(result: Result, console: Console) -> None:
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


def _conclusion(results: Sequence[Result]) -> str:
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
