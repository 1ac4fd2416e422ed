"""Time a class beside stock nbgrader and beside the floor, in one run on the same notebooks.

Stock nbgrader runs each notebook in a kernel of its own and finds its points in the visible checks;
it neither confines student code nor runs hidden tests, and takes one notebook after the other, so a
few of them tell its speed. What ours takes for a submission a worker, nearly all of it to start, is
told apart: `steady` is how many a minute follow. Run this by `make bench`; it adds what it finds to
RESULTS.md.
"""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tests.benchmarks import classes
from tests.benchmarks.breakdown import breakdown
from tests.benchmarks.measure import Usage, run
from tests.courses import KIT, copy_of_kit

RESULTS = Path(__file__).with_name("RESULTS.md")
STOCK, FLOOR = "stock nbgrader", "the floor"


@dataclass(frozen=True)
class Row:
    kind: str
    way: str
    submissions: int
    usage: Usage
    start: Usage | None = None  # what a class takes that has one submission for each worker
    workers: int = 1

    @property
    def wall(self) -> float:
        return self.usage.wall / self.submissions

    @property
    def cpu(self) -> float:
        return self.usage.cpu / self.submissions

    @property
    def steady(self) -> float:
        """Submissions a minute, once it has started."""
        if self.start is None:
            return 60 / self.wall
        return 60 * (self.submissions - self.workers) / (self.usage.wall - self.start.wall)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--assignment", default="hw2_encoder")
    parser.add_argument("--submissions", type=int, default=200)
    parser.add_argument("--stock", type=int, default=8, help="how many of them stock is given")
    parser.add_argument("--kinds", nargs="+", default=classes.KINDS)
    options = parser.parse_args()
    if not (KIT.work / "source" / options.assignment).is_dir():
        parser.error(f"stock nbgrader needs {options.assignment} as released: run `make release`")
    texts = []
    for kind in options.kinds:
        for text in _measured(options.assignment, kind, options.submissions, options.stock):
            print(text, flush=True)
            texts.append(text)
    _write(options.assignment, texts)


def _measured(assignment: str, kind: str, number: int, for_stock: int) -> Iterator[str]:
    """Grade one class by all ways; yield a table of what each took, and of where our time went."""
    texts = list(classes.submissions(assignment, kind, number))
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "stock")
        classes.make_stock(KIT, root, assignment)
        classes.hand_in(root, assignment, texts[:for_stock])
        command = [classes.nbgrader(), "autograde", assignment]
        rows.append(Row(kind, STOCK, for_stock, run(command, root)))
        for workers in (1, 2):
            start = _ours(Path(folder, f"start{workers}"), assignment, texts[:workers], workers)
            root = Path(folder, str(workers))
            usage = _ours(root, assignment, texts, workers)
            rows.append(Row(kind, f"ours, --jobs={workers}", number, usage, start, workers))
        rows.append(Row(kind, FLOOR, number, _floor(root, assignment)))
        yield _table(rows)
        root = Path(folder, "steps")
        course = copy_of_kit(root)
        classes.hand_in(root, assignment, texts)
        yield _steps(breakdown(course, assignment), number)


def _ours(root: Path, assignment: str, texts: list[str], workers: int) -> Usage:
    copy_of_kit(root)
    classes.hand_in(root, assignment, texts)
    command = [sys.executable, "-m", "autograder", "grade", assignment]
    return run([*command, f"--jobs={workers}"], root)


def _floor(root: Path, assignment: str) -> Usage:
    command = [sys.executable, str(Path(__file__).with_name("floor.py")), assignment]
    said = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
    wall, cpu, memory = said.split()
    return Usage(float(wall), float(cpu), int(memory))


def _table(rows: list[Row]) -> str:
    stock, floor = (next(row for row in rows if row.way == way) for way in (STOCK, FLOOR))
    lines = [
        "| class | graded by | submissions | a minute | × stock | CPU s each | × floor | MB "
        "| start, s | steady |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        cells = [row.kind, row.way, str(row.submissions), f"{60 / row.wall:.0f}"]
        cells += [f"{stock.wall / row.wall:.1f}", f"{row.cpu:.2f}", f"{row.cpu / floor.cpu:.1f}"]
        cells += [f"{row.usage.memory >> 20}", f"{row.start.wall:.1f}" if row.start else ""]
        lines.append(f"| {' | '.join(cells)} | {row.steady:.0f} |")
    return "\n".join(lines) + "\n"


def _steps(seconds: dict[str, float], number: int) -> str:
    total = sum(seconds.values())
    lines = ["| step, in one process | ms a submission | share |", "|---|--:|--:|"]
    for name, each in seconds.items():
        lines.append(f"| {name} | {1000 * each / number:.0f} | {each / total:.0%} |")
    return "\n".join(lines) + "\n"


def _write(assignment: str, texts: list[str]) -> None:
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Linux {platform.release()}"
    python = f"Python {platform.python_version()}"
    title = f"## {datetime.now(UTC):%Y-%m-%d}, {assignment}; {machine}, {python}"
    with RESULTS.open("a", encoding="utf-8") as file:
        file.write("\n" + "\n".join([title, "", *texts]))


if __name__ == "__main__":
    main()
