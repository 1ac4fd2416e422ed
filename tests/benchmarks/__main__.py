"""Time classes beside stock nbgrader and beside the floor, in one run on the same notebooks.

Stock nbgrader runs each notebook in a kernel of its own and finds its points in the visible checks;
it neither confines student code nor runs hidden tests, and takes one notebook after the other, so a
few of them tell its speed. What ours takes for a submission a worker, nearly all of it to start, is
told apart: `steady` is how many a minute follow. At the end, one notebook of each assignment is
checked alone. Run this by `make bench`; each table takes the place of the last of its kind in
RESULTS.md.
"""

import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tests.benchmarks import classes
from tests.benchmarks.measure import Usage, run
from tests.courses import KIT, ROOT, copy_of_kit

RESULTS = Path(__file__).with_name("RESULTS.md")
STOCK, FLOOR = "stock nbgrader", "the floor"
# By assignment: the kinds of classes, their submissions, and how many of them stock is given.
CLASSES: Mapping[str, tuple[Sequence[str], int, int]] = {
    "hw2_encoder": (classes.KINDS, 80, 8),
    "hw1_attention": (["solved"], 200, 4),
    "hw3_transformer": (["solved"], 12, 2),
    "hw4_efficient_attention": (["solved"], 40, 4),
}
ALONE = "One notebook alone"
TRIES = 3  # of one notebook alone


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


@dataclass(frozen=True)
class Class:
    """What one class took by each way, and our time of it by step, in seconds."""

    kind: str
    rows: list[Row]
    steps: dict[str, float]

    @property
    def number(self) -> int:
        """How many submissions ours graded."""
        return self.rows[-1].submissions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    titles = [*CLASSES, ALONE]
    parser.add_argument("title", nargs="*", help=f"measure these alone: {', '.join(titles)}")
    only = parser.parse_args().title or titles
    if unknown := set(only) - {*titles}:
        parser.error(f"there is no {unknown.pop()!r}: write one of {', '.join(titles)}")
    for assignment in CLASSES:
        if not (KIT.work / "source" / assignment).is_dir():
            parser.error(f"stock nbgrader needs {assignment} as released: run `make release`")
    for title in only:
        tables = _alone() if title == ALONE else _of_classes(title)
        _write(title, tables)
        print(f"## {title}\n\n{tables}", flush=True)


def _of_classes(assignment: str) -> str:
    """Return a table of what each class took, and one of where our time went."""
    kinds, number, for_stock = CLASSES[assignment]
    measured = [_measured(assignment, kind, number, for_stock) for kind in kinds]
    return f"{_table(measured)}\n{_steps(measured)}"


def _measured(assignment: str, kind: str, number: int, for_stock: int) -> Class:
    """Grade one class by all ways."""
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
        root = Path(folder, "steps")
        copy_of_kit(root)
        classes.hand_in(root, assignment, texts)
        steps = json.loads(_said_by("breakdown.py", root, assignment).splitlines()[-1])
        return Class(kind, rows, steps)


def _ours(root: Path, assignment: str, texts: list[str], workers: int) -> Usage:
    copy_of_kit(root)
    classes.hand_in(root, assignment, texts)
    command = [sys.executable, "-m", "autograder", "grade", assignment]
    return run([*command, f"--jobs={workers}"], root)


def _floor(root: Path, assignment: str) -> Usage:
    wall, cpu, memory = _said_by("floor.py", root, assignment).split()
    return Usage(float(wall), float(cpu), int(memory))


def _said_by(script: str, root: Path, assignment: str) -> str:
    """Return what a script beside this one prints of the class in `root`."""
    command = [sys.executable, str(Path(__file__).with_name(script)), assignment]
    return subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout


def _table(measured: Sequence[Class]) -> str:
    lines = [
        "| class | graded by | submissions | a minute | × stock | CPU s each | × floor | MB "
        "| start, s | steady |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for each in measured:
        stock, *_, floor = each.rows
        for row in each.rows:
            cells = [row.kind, row.way, str(row.submissions), f"{60 / row.wall:.0f}"]
            cells += [f"{stock.wall / row.wall:.1f}", f"{row.cpu:.2f}"]
            cells += [f"{row.cpu / floor.cpu:.1f}", f"{row.usage.memory >> 20}"]
            cells += [f"{row.start.wall:.1f}" if row.start else "", f"{row.steady:.0f}"]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _steps(measured: Sequence[Class]) -> str:
    kinds = " | ".join(each.kind for each in measured)
    lines = [
        f"| step, in one process, ms a submission | {kinds} |",
        f"|---|{'--:|' * len(measured)}",
    ]
    for name in dict.fromkeys(step for each in measured for step in each.steps):
        took = (1000 * each.steps.get(name, 0) / each.number for each in measured)
        lines.append(f"| {name} | {' | '.join(f'{each:.0f}' for each in took)} |")
    return "\n".join(lines) + "\n"


def _alone() -> str:
    """Return a table of the seconds that it takes to check a solved notebook of each assignment."""
    took = {"`import torch`": _median([sys.executable, "-c", "import torch"])}
    with tempfile.TemporaryDirectory() as folder:
        for assignment in sorted(CLASSES):
            notebook = Path(folder, f"{assignment}.ipynb")
            notebook.write_text(next(classes.submissions(assignment, "solved", 1)))
            command = [sys.executable, "-m", "autograder", "check", str(notebook)]
            took[f"check {assignment}"] = _median(command)
    lines = ["| seconds, median of three |  |", "|---|--:|"]
    lines += [f"| {name} | {seconds:.1f} |" for name, seconds in took.items()]
    return "\n".join(lines) + "\n"


def _median(command: Sequence[str]) -> float:
    return statistics.median(run(command, ROOT).wall for _ in range(TRIES))


def _write(title: str, tables: str) -> None:
    """Put tables in the place of those that RESULTS.md has under a title, or behind all others."""
    asked = ["git", "rev-parse", "--short=8", "HEAD"]
    commit = subprocess.check_output(asked, cwd=ROOT, text=True).strip()
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    section = f"## {title}\n\n{datetime.now(UTC):%Y-%m-%d}, commit {commit}; {machine}\n\n{tables}"
    before = RESULTS.read_text("utf-8")
    old = re.search(rf"^## {re.escape(title)}\n.*?(?=^## |\Z)", before, re.DOTALL | re.MULTILINE)
    after = before.replace(old[0], f"{section}\n") if old else f"{before}\n{section}"
    RESULTS.write_text(f"{after.rstrip()}\n", "utf-8")


if __name__ == "__main__":
    main()
