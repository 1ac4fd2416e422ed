"""Draw the pictures that the notebooks open with, from the numbers of the solutions.

    python solutions/pictures/render.py [ASSIGNMENT…]
    python solutions/pictures/render.py --style

Each is a figure of the notebook's own, which draws it again from the reader's numbers. It has no paper:
it lies on white pages and on dark ones, and its words have a grey that can be read on both. With --style,
it keeps the pictures that docs/visual-language.md shows.
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
from PIL import Image

from autograder.authoring.script import BUGS_OF, LOCKED_NOTES, Script
from autograder.course import Course

OPENING = {  # how the words of the figure begin
    "hw1_attention": "Lines from the word it to all words, thicker for more attention: The ",
    "hw4_efficient_attention": "The price of one more token",
    "hw3_transformer": "Lines from what is written",
    "hw2_encoder": "A map of words. The word bat ",
}
STYLE = {  # the same, of the pictures that show our style, by the names of their files
    "hw1_attention": {
        "look-up": "A look-up: a query",
        "lines": "Lines from the word it ",
        "triangle": "A triangle of values",
        "surprise": "A text with a bar",
    },
    "hw2_encoder": {
        "meanings": "A map of words. The word bat ",
        "heads": "Matrices of numbers, one shade per token",
        "clocks": "8 clocks, one for each pair",
        "river": "The residual as a river",
    },
    "hw3_transformer": {
        "map": "Encoder and decoder. The source",
        "shadow": "Weights in hundredths; on the right",
        "writing": "A model writes, token by token",
    },
    "hw4_efficient_attention": {
        "areas": "Squares to scale",
        "brackets": "Brackets to the left",
        "cache": "Keys and values in the cache",
        "race": "A race of writers",
    },
}
HERE = Path(__file__).resolve().parent
_OPEN_GUESS = re.compile(r"^(guess_of_\w+) = None", re.MULTILINE)
COLOURS = 128  # enough for lines, letters and colour bars, and a third of the bytes
# The ink, and the teal: their contrast is at least 4.2 to a white page and to a dark one.
ON_BOTH, TEAL_ON_BOTH = "#737C87", "#1A8490"


def drawn(assignment: str) -> bytes:
    """Run the solved notebook; return the opening picture as a PNG without a date."""
    found: list[bytes] = []

    def show(alt: str) -> None:
        if alt.startswith(OPENING[assignment]):
            picture = io.BytesIO()
            plt.gcf().savefig(picture, format="png", dpi=130, bbox_inches="tight", transparent=True)
            found.append(picture.getvalue())
        plt.close()

    seen = {"INK": ON_BOTH, "GREY": ON_BOTH, "TEAL": TEAL_ON_BOTH, "tint": _seen_through}
    _run(assignment, {"show": show} | seen)
    file = io.BytesIO()
    with Image.open(io.BytesIO(found[-1])) as picture:
        small = picture.convert("RGBA").quantize(COLOURS, Image.Quantize.FASTOCTREE)
        small.save(file, format="png", optimize=True)
    return file.getvalue()


def _seen_through(colour: str, share: float) -> str:
    """What the notebook's `tint` looks like on white, on any page."""
    return f"{colour}{round(255 * share):02X}"


def in_style(assignment: str) -> dict[str, str]:
    """Run the solved notebook; return those of its pictures that show our style, as SVG by name."""
    found: dict[str, str] = {}

    def display_svg(svg: str, alt: str) -> None:
        for name, begins in STYLE[assignment].items():
            if alt.startswith(begins):
                found.setdefault(name, svg)

    _run(assignment, {"display_svg": display_svg, "play": lambda draw, **_: draw()})
    return found


def _run(assignment: str, ours: Mapping[str, Any]) -> None:
    """Run the solved notebook in silence, with our functions in place of its own."""
    mpl.use("agg")
    silent = {"display": lambda *_, **__: None, "my_bug": lambda _: None, "bug_of": lambda _: ""}
    names: dict[str, Any] = {"__name__": "__main__", **silent}
    for part in Script.read(Course.load(HERE.parents[1]), assignment).parts:
        if part.cell.cell_type == "code" and not part.cell.source.startswith(BUGS_OF):
            # pictures that tell the answer wait for a guess
            source = _OPEN_GUESS.sub(r'\1 = "skip"', part.cell.source.removesuffix(LOCKED_NOTES))
            with contextlib.redirect_stdout(io.StringIO()):
                exec(source, names)  # noqa: S102 - ours
            names |= {"play": lambda *_, **__: None, **ours}
            mpl.rcParams["text.color"] = names.get("INK", "black")


if __name__ == "__main__":
    if sys.argv[1:] == ["--style"]:
        for assignment in STYLE:
            for name, svg in in_style(assignment).items():
                (HERE.parents[1] / f"docs/pictures/style/{name}.svg").write_text(svg, "utf-8")
                print(f"{name}.svg: {len(svg):,} bytes")
        sys.exit()
    for assignment in sys.argv[1:] or OPENING:
        path = HERE / f"{assignment}.png"
        path.write_bytes(drawn(assignment))
        print(f"{path.name}: {path.stat().st_size:,} bytes")
