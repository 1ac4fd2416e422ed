"""Draw the greater part of the demo's class: `python -m tests.demo_class` writes class.toml.

Ten students are written by hand in `submissions/by_hand.toml`. The others are drawn here: each is
more or less sure, each exercise more or less hard, and who fails picks one of the mistakes in
`submissions/mistakes.toml`.
"""

import random
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.courses import KIT

HERE = Path(__file__).parent / "submissions"
BY_HAND, CLASS, PROSE, MISTAKES = (
    HERE / f"{name}.toml" for name in ("by_hand", "class", "prose", "mistakes")
)
HEAD = """\
# The demo's class, written by `python -m tests.demo_class`: change `by_hand.toml`, `prose.toml`
# or what is drawn there, and run it again.
"""

GRADED = 0.5  # the share of notebooks whose written answers somebody has graded already
WRITES = 0.9  # how probably somebody writes about a point


def main() -> None:
    CLASS.write_text(text(), "utf-8")


def text() -> str:
    chance = random.Random(0)
    prose = tomllib.loads(PROSE.read_text("utf-8"))
    drawn = (table for student in prose["students"] for table in _tables(student, prose, chance))
    return "\n".join([HEAD, BY_HAND.read_text("utf-8"), *drawn])


def _tables(student: str, prose: Mapping[str, Any], chance: random.Random) -> Iterator[str]:
    """Yield what one student hands in."""
    sure = chance.gauss(0.6, 0.25)
    for assignment, exercises in tomllib.loads(MISTAKES.read_text("utf-8")).items():
        lines = [f"[{student}.{assignment}]"]
        for exercise, made in exercises.items():
            succeeds = chance.random() < sure + 0.55 - made["hard"]
            wrong = made["mistakes"]
            answer = _right(assignment, exercise, chance) if succeeds else _wrong(wrong, chance)
            lines.append(f'{exercise} = "{answer}"')
        graded = []
        for question, points in prose[assignment].items():
            said = list(_sentences(points, sure, chance))
            if said:
                lines.append(f'{question} = "{" ".join(sentence for _, sentence in said)}"')
                graded.append(f"{question} = {sorted({number for number, _ in said if number})}")
        if chance.random() < GRADED:
            lines.append(f"graded = {{ {', '.join(graded)} }}")
        yield "\n".join([*lines, ""])


def _right(assignment: str, exercise: str, chance: random.Random) -> str:
    paths = sorted((KIT.answers / assignment / exercise / "right").glob("*.py"))
    return f"right/{chance.choice(paths).stem}"


def _wrong(mistakes: Sequence[str], chance: random.Random) -> str:
    """Pick a mistake; each is half as common as the one before, and some write nothing."""
    weights = [2.0**-place for place in range(len(mistakes))]
    (mistake,) = chance.choices([*mistakes, ""], [*weights, 0.1])
    return f"wrong/{mistake}" if mistake else "blank"


def _sentences(
    points: Sequence[Mapping[str, Sequence[str]]], sure: float, chance: random.Random
) -> Iterator[tuple[int, str]]:
    """Yield a sentence for each point of a rubric that the student writes about.

    Before it stands the number of the point, or 0 if it is missed.
    """
    for number, point in enumerate(points, 1):
        if chance.random() < WRITES:
            is_earned = chance.random() < sure
            said = chance.choice(point["earned" if is_earned else "missed"])
            yield number if is_earned else 0, said


if __name__ == "__main__":
    main()
