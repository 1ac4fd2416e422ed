"""Print what became of the catalogue, and what is left of it."""

from collections.abc import Mapping, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tests.hostile.leftovers import HOW
from tests.hostile.modes import Mode, Result


def show(results: Sequence[Result], modes: Sequence[Mode], console: Console) -> None:
    """Print class by mode how many were contained, then those that were not."""
    console.print(_contained(results, modes))
    exceptions: dict[str, list[Result]] = {}
    for result in results:
        if result.is_surprise or not result.is_contained:
            exceptions.setdefault(result.case.title, []).append(result)
    for _, each in sorted(exceptions.items()):
        _show_exception(each, console)


def _contained(results: Sequence[Result], modes: Sequence[Mode]) -> Table:
    table = Table(title="Contained hostile submissions", box=box.SIMPLE_HEAD, title_justify="left")
    table.add_column("class")
    for mode in modes:
        table.add_column(str(mode), justify="right")
    for kind in sorted({result.case.kind for result in results}):
        table.add_row(kind, *(_share(results, mode, kind) for mode in modes))
    table.add_section()
    table.add_row("all", *(_share(results, mode) for mode in modes))
    return table


def _share(results: Sequence[Result], mode: Mode, kind: str = "") -> str:
    mine = [each for each in results if each.mode == mode and kind in ("", each.case.kind)]
    return f"{sum(each.is_contained for each in mine)}/{len(mine)}" if mine else "not offered"


def _show_exception(results: Sequence[Result], console: Console) -> None:
    """Print a case, what was complained of on each level, and what the catalogue says of it."""
    case = results[0].case
    surprising = any(result.is_surprise for result in results)
    console.print(Text(f"\n{case.title}", style="red" if surprising else "yellow"))
    for result in results:
        for complaint in result.complaints or ["contained, though the catalogue says it isn't"]:
            console.print(Text(f"  {result.mode}: {complaint}"))
    if case.exposed:
        console.print(Text(f"  known: {case.exposed}"))


def show_leftovers(left: Mapping[str, frozenset[str]], console: Console) -> None:
    """Print what was found after everything, and where it was looked for."""
    table = Table(title="Left on this machine", box=box.SIMPLE_HEAD, title_justify="left")
    for column in ("", "left", "looked for in"):
        table.add_column(column, overflow="fold")
    for kind, things in left.items():
        table.add_row(kind, "\n".join(sorted(things)) or "none", HOW[kind])
    console.print(table)
