"""How good marks and names are, exercise by exercise, and how good they were when last written.

`figures.toml` keeps percentages. They may rise, and no one may let them fall.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.mutants.seeds import RightTrial
from tests.mutants.trials import Exercise, Fate

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

    def __add__(self, other: Share) -> Share:
        """Return the share of both together."""
        return Share(self.part + other.part, self.whole + other.whole)

    def __str__(self) -> str:
        """Say it as a table does."""
        return f"{self.part}/{self.whole} {self.percent:g}%"


@dataclass(frozen=True)
class Figures:
    """How the answers to one exercise fared."""

    right: Share  # right answers with full marks under every seed, the solution among them
    caught: Share  # wrong answers that lose marks
    named: Share  # wrong answers with a true name that are given one
    false: Share  # answers, right or wrong, that are given a name which isn't theirs

    @classmethod
    def of(cls, right: Sequence[RightTrial], wrong: Sequence[Fate]) -> Figures:
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

    def __add__(self, other: Figures) -> Figures:
        """Return the figures of the answers to both exercises."""
        return Figures(
            self.right + other.right,
            self.caught + other.caught,
            self.named + other.named,
            self.false + other.false,
        )

    @property
    def percentages(self) -> Percentages:
        """The percentages alone, by name."""
        return {name: Share(**share).percent for name, share in asdict(self).items()}


def on_file(file: Path | None = None) -> OnFile:
    """Return the percentages that were last written."""
    file = file or FILE
    found: OnFile = tomllib.loads(file.read_text("utf-8")) if file.exists() else {}
    return found


def worse(exercise: Exercise, figures: Figures, kept: OnFile) -> Iterator[str]:
    """Yield a sentence for each figure of `exercise` that is worse than the one that was kept."""
    before = kept.get(exercise.assignment, {}).get(exercise.name)
    if before is None:
        yield f"{exercise.name} has no figures on file; write them by --write-figures."
        return
    for name, now in figures.percentages.items():
        if now > before[name] if name == "false" else now < before[name]:
            verb = "rose" if name == "false" else "fell"
            yield f"{exercise.name}: `{name}` {verb} from {before[name]}% to {now}%."


def write(measured: Iterable[tuple[Exercise, Figures]], file: Path | None = None) -> None:
    """Write the figures of some exercises; those of the others stay."""
    file = file or FILE
    kept = on_file(file)
    for exercise, figures in measured:
        kept.setdefault(exercise.assignment, {})[exercise.name] = figures.percentages
    sections = (_section(assignment, kept[assignment]) for assignment in sorted(kept))
    file.write_text("\n".join([_HEAD, *sections]), "utf-8")


def _section(assignment: str, exercises: Mapping[str, Percentages]) -> str:
    lines = [f"[{assignment}]\n"]
    for name, percentages in exercises.items():
        values = ", ".join(f"{figure} = {percent}" for figure, percent in percentages.items())
        lines.append(f"{name} = {{ {values} }}\n")
    return "".join(lines)
