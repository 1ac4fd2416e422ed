"""What each misconception costs, idea by idea; `marks.toml` keeps it, and whoever changes it looks.

A mistake should cost the points of its own idea, and leave those of the others. Its own is taken to
be the one that it costs most of.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rich import box
from rich.table import Table

from tests.mutants.exercises import Kind
from tests.mutants.results import ExerciseResult

FILE = Path(__file__).with_name("marks.toml")
_HEAD = """\
# Points that each misconception costs, in the order of the exercise's ideas; `ideas` are all there
# are. To write them anew: python -m tests.mutants --marks --write-figures
"""
IDEAS = "ideas"
Costs = Mapping[str, Sequence[float]]  # by tag, and by IDEAS what there is to lose
OnFile = dict[str, dict[str, Costs]]  # by assignment and exercise


def costs_of(result: ExerciseResult) -> Costs:
    variants = sorted(result.of(Kind.VARIANT), key=lambda fate: fate.mutant.name)
    if not variants:
        return {}
    worth = list(variants[0].worth.values())
    return {IDEAS: worth} | {fate.mutant.name: list(fate.costs.values()) for fate in variants}


def beyond(costs: Sequence[float]) -> float:
    """Return the points that are lost in other ideas than the one that loses most."""
    return sum(costs) - max(costs)


def table_of(result: ExerciseResult) -> Table:
    """Show what each misconception costs of every idea, the dearest first."""
    variants = sorted(result.of(Kind.VARIANT), key=lambda fate: -fate.lost)
    worth = variants[0].worth
    ideas = "; ".join(f"{n}: {idea or 'all'}" for n, idea in enumerate(worth, 1))
    title = f"Points that misconceptions cost in {result.exercise.name}"
    table = Table(title=title, caption=ideas, box=box.SIMPLE_HEAD)
    table.title_justify = table.caption_justify = "left"
    table.add_column("misconception", overflow="fold")
    for n, points in enumerate(worth.values(), 1):
        table.add_column(f"{n}\nof {points:g}", justify="right")
    table.add_column(f"all\nof {sum(worth.values()):g}", justify="right")
    table.add_column("beyond", justify="right")
    for fate in variants:
        costs = list(fate.costs.values())
        further = f"{beyond(costs):g}" if beyond(costs) else ""
        lost = [f"{each:g}" if each else "" for each in costs]
        table.add_row(fate.mutant.name, *lost, f"{fate.lost:g}", further)
    return table


def on_file(file: Path | None = None) -> OnFile:
    file = file or FILE
    found: OnFile = tomllib.loads(file.read_text("utf-8")) if file.exists() else {}
    return found


def changed(result: ExerciseResult, kept: OnFile) -> Iterator[str]:
    """Yield a sentence for each misconception that costs something else than on file."""
    now = costs_of(result)
    before = kept.get(result.exercise.assignment, {}).get(result.exercise.name, {})
    if now and not before:
        yield f"{result.exercise.name} has no marks on file; write them by --marks --write-figures."
        return
    for tag in sorted(now.keys() | before.keys()):
        if now.get(tag) != before.get(tag):
            yield (
                f"{result.exercise.name}: {tag} costs {now.get(tag)}, and {before.get(tag)} on "
                "file. Look at it, and write it by --marks --write-figures."
            )


def write(results: Sequence[ExerciseResult], file: Path | None = None) -> None:
    """Write what misconceptions cost in some exercises; what they cost in the others stays."""
    file = file or FILE
    kept = on_file(file)
    for result in results:
        kept.setdefault(result.exercise.assignment, {})[result.exercise.name] = costs_of(result)
    lines = [_HEAD]
    for assignment in sorted(kept):
        for exercise, costs in sorted(kept[assignment].items()):
            lines.append(f"\n[{assignment}.{exercise}]\n")
            for tag, lost in costs.items():
                lines.append(f"{tag} = [{', '.join(f'{each:g}' for each in lost)}]\n")
    file.write_text("".join(lines), "utf-8")
