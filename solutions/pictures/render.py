"""Draw the pictures that the notebooks open with, from the numbers of the solutions.

    python solutions/pictures/render.py [ASSIGNMENT…]

Each is a figure of the notebook's own, which draws it again from the reader's numbers.
"""

from __future__ import annotations

import base64
import io
import sys
from pathlib import Path
from typing import Any

import jupytext
import matplotlib as mpl
from PIL import Image

OPENING = {  # how the words of the figure begin
    "hw1_attention": "Lines from the word it ",
    "hw4_efficient_attention": "Who looks where",
    "hw3_transformer": "Heat maps of weights. layer 1, head 0",
    "hw2_encoder": "Heat maps of a sentence, a row a word.",
}
HERE = Path(__file__).resolve().parent
COLOURS = 128  # enough for lines, letters and colour bars, and a third of the bytes


def drawn(assignment: str) -> bytes:
    """Run the solved notebook; return the opening picture as a PNG without a date."""
    found: list[bytes] = []

    def display(data: Any, **_: Any) -> None:
        if isinstance(data, dict) and data["text/plain"].startswith(OPENING[assignment]):
            found.append(base64.b64decode(data["image/png"]))

    mpl.use("agg")
    names: dict[str, Any] = {"__name__": "__main__", "display": display}
    for cell in jupytext.read(HERE.parent / f"{assignment}.py", fmt="py:percent").cells:
        if cell.cell_type == "code":
            exec(_code(cell), names)  # noqa: S102 - the solutions are ours
            names["play"] = lambda draw, **_: None
    with Image.open(io.BytesIO(found[-1])) as picture:
        small = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        file = io.BytesIO()
        small.save(file, format="png", optimize=True)
    return file.getvalue()


def _code(cell: Any) -> str:
    if "include" in cell.metadata:
        return (HERE.parent / cell.metadata["include"]).read_text("utf-8")
    return str(cell.source)


if __name__ == "__main__":
    for name in sys.argv[1:] or OPENING:
        path = HERE / f"{name}.png"
        path.write_bytes(drawn(name))
        print(f"{path.name}: {path.stat().st_size:,} bytes")
