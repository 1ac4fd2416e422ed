"""Draw where the seconds go, from the tables of RESULTS.md: `python -m tests.benchmarks.timeline`.

Above, one `autograder check` of each assignment, step after step; below, a submission in a class.
"""

import re
from collections.abc import Sequence
from io import StringIO
from pathlib import Path

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tests.courses import ROOT

RESULTS = Path(__file__).with_name("RESULTS.md")
PICTURE = ROOT / "docs" / "pictures" / "timeline.svg"
_CHECK, _CLASS = "seconds at the end of", "step, in one process, ms a submission"
_CLASSES_OF = "## hw2_encoder\n"
# Okabe and Ito's colours, which the colour-blind tell apart; steps too short to see are grey.
_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#56B4E9", "#CC79A7", "#D55E00", "#F0E442")
_GREY = "#999999"
_LEAST = 0.05  # the share of a bar that a step takes at least, somewhere, to have a colour
_REST = "less than 5% each"


def main() -> None:
    PICTURE.write_text(drawn(RESULTS.read_text("utf-8")), "utf-8")


def drawn(results: str) -> str:
    """Return the picture as SVG, the same for the same tables."""
    names, ends = _table(results, _CHECK)
    checks = {
        step: [end - begin for begin, end in zip(before, row, strict=True)]
        for (step, row), before in zip(
            ends.items(), [[0.0] * len(names), *ends.values()], strict=False
        )
    }
    of_classes = results.split(_CLASSES_OF, 1)[1].split("\n## ", 1)[0]
    kinds, steps = _table(of_classes, _CLASS)
    own = {"svg.hashsalt": "timeline", "svg.fonttype": "none", "font.size": 9}
    with style.context(["default", own]):  # whatever else was drawn in this process
        figure = Figure(figsize=(9, 6.2), layout="constrained")
        above, below = figure.subplots(2, height_ratios=(4, 3))
        _bars(above, names, checks, "seconds from the command to the prompt, one notebook alone")
        _bars(below, kinds, steps, "milliseconds of hw2, a notebook in a class of each kind")
        text = StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None}, transparent=False)
    return re.sub(r"[ \t]+$", "", text.getvalue(), flags=re.MULTILINE)


def _table(text: str, corner: str) -> tuple[list[str], dict[str, list[float]]]:
    """Return the heads of the last table with this `corner`, and its numbers by row."""
    lines = text[text.rindex(f"| {corner} |") :].split("\n\n")[0].splitlines()
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines]
    width = len(rows[0])
    return rows[0][1:], {
        row[0]: [float(cell or 0) for cell in (*row[1:], *[""] * (width - len(row)))]
        for row in rows[2:]
    }


def _bars(axes: Axes, names: Sequence[str], steps: dict[str, list[float]], title: str) -> None:
    totals = [sum(column) for column in zip(*steps.values(), strict=True)]
    colours, left = iter(_COLOURS), [0.0] * len(names)
    for step, widths in steps.items():
        shares = (width / total for width, total in zip(widths, totals, strict=True))
        is_seen = max(shares) >= _LEAST
        colour, label = (next(colours), step) if is_seen else (_GREY, None)
        axes.barh(names, widths, left=left, color=colour, label=label, edgecolor="white")
        left = [begin + width for begin, width in zip(left, widths, strict=True)]
    axes.barh(names[:1], [0], color=_GREY, label=_REST)
    for place, total in enumerate(totals):
        axes.text(total, place, f" {total:,.0f}" if total > 100 else f" {total:.1f}", va="center")
    axes.invert_yaxis()
    axes.set_title(title, loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    axes.margins(x=0.06)
    axes.legend(loc="upper center", bbox_to_anchor=(0.45, -0.12), ncols=3, frameon=False)


if __name__ == "__main__":
    main()
