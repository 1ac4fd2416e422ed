"""How good marks and names are, exercise by exercise, and how good they were when last written.

`figures.toml` keeps percentages. They may rise, and no one may let them fall.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol, Self

from tests.mutants.exercises import Exercise
from tests.mutants.trials import Fate, RightTrial

FILE = Path(__file__).with_name("figures.toml")
_HEAD = """\
# Percentages of the answers on file, as tests/mutants/figures.py explains them. To write them anew:
# python -m tests.mutants --answers --write-figures
"""

Percentages = Mapping[str, float]  # by the names of the fields of `Figures`
OnFile = dict[str, dict[str, Percentages]]  # by assignment and exercise


@dataclass(frozen=True)
class Share:
    """So many of so many."""

    part: int
    whole: int

    @property
    def percent(self) -> float:
        """The share in percent, to one decimal; all of nothing is all."""
        return round(100 * self.part / self.whole, 1) if self.whole else 100.0

    def __add__(self, other: Self) -> "Share":
        return Share(self.part + other.part, self.whole + other.whole)

    def __str__(self) -> str:
        return f"{self.part}/{self.whole} {self.percent:g}%"


class Measured(Protocol):
    """Figures of one exercise, by name."""

    @property
    def percentages(self) -> Percentages: ...


class Figures(NamedTuple):
    """How the answers to one exercise fared."""

    right: Share  # right answers with full marks under every seed, the solution among them
    caught: Share  # wrong answers that lose marks
    named: Share  # wrong answers with a true name that are given one
    false: Share  # answers, right or wrong, that are given a name which isn't theirs

    @classmethod
    def of(cls, right: Sequence[RightTrial], wrong: Sequence[Fate]) -> Self:
        """Count what became of the right and the wrong answers."""
        answers = {trial.answer for trial in right}
        hurt = {trial.answer for trial in right if trial.messages}
        misnamed = {trial.answer for trial in right if trial.named}
        with_names = [fate for fate in wrong if fate.mutant.tags]
        false = len(misnamed) + sum(bool(fate.false_names) for fate in wrong)
        return cls(
            right=Share(len(answers - hurt), len(answers)),
            caught=Share(sum(fate.killed for fate in wrong), len(wrong)),
            named=Share(sum(bool(fate.true_names) for fate in with_names), len(with_names)),
            false=Share(false, len(answers) + len(wrong)),
        )

    @property
    def percentages(self) -> Percentages:
        return {name: share.percent for name, share in self._asdict().items()}


def on_file(file: Path | None = None) -> OnFile:
    file = file or FILE
    found: OnFile = tomllib.loads(file.read_text("utf-8")) if file.exists() else {}
    return found


def worse(exercise: Exercise, figures: Measured, kept: OnFile) -> Iterator[str]:
    """Yield a sentence for each figure of `exercise` that is worse than the one that was kept."""
    before = kept.get(exercise.assignment, {}).get(exercise.name)
    if before is None:
        yield f"{exercise.name} has no figures on file; write them by --write-figures."
        return
    for name, now in figures.percentages.items():
        if now > before[name] if name == "false" else now < before[name]:
            verb = "rose" if name == "false" else "fell"
            yield f"{exercise.name}: `{name}` {verb} from {before[name]}% to {now}%."


def write(
    measured: Iterable[tuple[Exercise, Measured]], file: Path | None = None, head: str = _HEAD
) -> None:
    """Write the figures of some exercises; those of the others stay."""
    file = file or FILE
    kept = on_file(file)
    for exercise, figures in measured:
        kept.setdefault(exercise.assignment, {})[exercise.name] = figures.percentages
    lines = [head]
    for assignment in sorted(kept):
        lines.append(f"\n[{assignment}]\n")
        for name, percentages in kept[assignment].items():
            values = ", ".join(f"{figure} = {percent}" for figure, percent in percentages.items())
            lines.append(f"{name} = {{ {values} }}\n")
    file.write_text("".join(lines), "utf-8")
