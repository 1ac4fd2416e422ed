"""The same submissions graded by stock nbgrader, which runs them without a sandbox, in a jail.

Its points hang on the release's visible checks. An honest submission is graded first, so that what
a hostile one gets can be compared with what it earned.
"""

import math
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.progress import track
from rich.table import Table
from rich.text import Text

from tests.benchmarks.classes import make_stock
from tests.courses import KIT, ROOT
from tests.hostile.cases import Case, catalogue
from tests.hostile.handing_in import notebook_of
from tests.hostile.jail import jailed
from tests.hostile.witness import Witness

SECONDS, CELL_SECONDS = 60, 10  # for a submission, and for a cell of it (nbgrader's own: 30)
WRITTEN = ("interpret_attention", "why_scale", "why_same_shape", "what_each_part_does")
HONEST = Case(kind="honest", name="the solution")


@dataclass(frozen=True)
class StockGrade:
    """What stock nbgrader made of a case: points by exercise, if it got as far as that."""

    case: Case
    scores: Mapping[str, float] = field(default_factory=dict)
    harm: Sequence[str] = ()
    in_time: bool = True

    @property
    def unearned(self) -> dict[str, float]:
        """What exercises got more points than they may, and how many."""
        lost = self.scores if self.case.answers != "solved" else self.case.loses
        most = self.case.at_most | dict.fromkeys(lost, 0.0)
        return {n: score for n, score in self.scores.items() if score > most.get(n, math.inf)}

    def harms(self, honest: Mapping[str, float]) -> dict[str, bool]:
        """Tell by columns of the table what went wrong, beside the points of the `honest`."""
        case, scores = self.case, self.scores
        touched = {*case.loses, *case.at_most} if case.answers == "solved" else honest.keys()
        return {
            "unearned": bool(self.unearned),
            "no grade": not scores and not case.refused and self.in_time,
            "over a minute": not self.in_time,
            "cost others": bool(scores)
            and any(scores.get(name, 0) < honest[name] for name in honest.keys() - touched),
            "harm": bool(self.harm),
        }


def try_stock(kinds: Sequence[str]) -> None:
    """Print what became of the cases of `kinds`, or of all, class by class."""
    if os.getuid():
        sys.exit("Only root can build the jail that stock nbgrader needs: run it as root.")
    console = Console()
    cases = catalogue(*kinds)
    tried = [case for case in cases if not case.untried]
    with tempfile.TemporaryDirectory() as folder:
        stock = Stock(Path(folder))
        honest = {name: stock.grade(HONEST.model_copy(update={"assignment": name})) for name in
                  sorted({case.assignment for case in cases})}  # fmt: skip
        results = [stock.grade(case) for case in track(tried, "Stock nbgrader", console=console)]
    _show(cases, results, {name: result.scores for name, result in honest.items()}, console)


class Stock:
    """Courses of stock nbgrader, an assignment each, to copy into a jail for every submission."""

    def __init__(self, folder: Path) -> None:
        folder.chmod(0o755)
        self._folder, self._disk = folder, folder / "disk"
        self._disk.mkdir()
        os.environ |= {"MPLCONFIGDIR": str(folder), "MPLBACKEND": "agg"}
        for name in ("nbgrader.apps", "matplotlib.font_manager"):
            import_module(name)  # each jail inherits the one, and the list of fonts by the other

    def grade(self, case: Case) -> StockGrade:
        made = self._folder / case.assignment
        if not made.exists():
            make_stock(KIT, made, case.assignment)
        result = jailed(partial(_grade, case, made, self._disk), self._disk, SECONDS + 30)
        return StockGrade(case, **(result or {"harm": ["it ended the whole run"]}))


def _grade(case: Case, made: Path, disk: Path) -> dict[str, Any]:
    """Grade a case in here; return its scores and what harm was done."""
    root = Path(shutil.copytree(made, disk / "course"))
    config = (root / "nbgrader_config.py").read_text().replace(str(made), str(root))
    timeout = f"c.Execute.timeout = {CELL_SECONDS}\n"
    (root / "nbgrader_config.py").write_text(config + timeout)
    witness = Witness(KIT, case.assignment)
    path = root / KIT.submission_path("mallory", case.assignment).relative_to(ROOT)
    path.parent.mkdir(parents=True)
    path.write_bytes(notebook_of(case, KIT, witness.places))
    witness.start()
    in_time = _autograde(root, case.assignment)
    scores = _scores(root, case.assignment)
    left = witness.complaints() if in_time else ()  # else what is still at work is no leftover
    return {"scores": scores, "harm": [*left, *_leaks(root, case, witness)], "in_time": in_time}


def _autograde(root: Path, assignment: str) -> bool:
    """Run nbgrader's command in a process of its own; tell whether it ended in time."""
    child = os.fork()
    if not child:
        try:
            os.chdir(root)
            for stream in (1, 2):
                os.dup2(os.open("log", os.O_WRONLY | os.O_CREAT | os.O_APPEND), stream)
            from nbgrader.apps import NbGraderApp

            NbGraderApp.launch_instance(["autograde", assignment, "--create"])
        finally:
            os._exit(0)
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        if os.waitpid(child, os.WNOHANG)[0]:
            return True
        time.sleep(0.05)
    return False


def _scores(root: Path, assignment: str) -> dict[str, float]:
    """Return the points of each exercise; nothing if the submission has no grade."""
    from nbgrader.api import Gradebook, MissingEntry

    if not list(root.glob("autograded/*/*/*.ipynb")):
        return {}
    try:
        with Gradebook(f"sqlite:///{root}/gradebook.db") as gradebook:
            (notebook,) = gradebook.find_submission(assignment, "mallory").notebooks
            scores = {grade.cell.name: grade.score for grade in notebook.grades}
    except (MissingEntry, ValueError):
        return {}
    return {name.removesuffix("_test"): scores[name] for name in scores if name not in WRITTEN}


def _leaks(root: Path, case: Case, witness: Witness) -> Iterator[str]:
    for path in root.glob("autograded/*/*/*.ipynb"):
        text = path.read_text("utf-8", "replace")
        if witness.secret in text:
            yield "it read the secret"
        if case.never and re.search(case.never, text):
            yield "it showed hidden inputs"


def _show(
    cases: Sequence[Case],
    results: Sequence[StockGrade],
    honest: Mapping[str, Mapping[str, float]],
    console: Console,
) -> None:
    console.print(Text(f"An honest submission gets {dict(honest)}"))
    table = Table(title="Graded by stock nbgrader", box=box.SIMPLE_HEAD, title_justify="left")
    harms = [result.harms(honest[result.case.assignment]) for result in results]
    table.add_column("class")
    for column in ("tried", *harms[0], "any", "not tried"):
        table.add_column(column, justify="right")
    for kind in (*sorted({case.kind for case in cases}), ""):
        mine = [
            harm
            for result, harm in zip(results, harms, strict=True)
            if kind in ("", result.case.kind)
        ]
        counts = [sum(each[column] for each in mine) for column in harms[0]]
        spoilt = sum(any(each.values()) for each in mine)
        untried = sum(kind in ("", case.kind) and bool(case.untried) for case in cases)
        table.add_row(kind or "all", *map(str, (len(mine), *counts, spoilt, untried)))
    console.print(table)
    for result, each in zip(results, harms, strict=True):
        if any(each.values()):
            words = [name for name, holds in each.items() if holds]
            details = [f"{name} {score:g}" for name, score in result.unearned.items()]
            said = ", ".join([*words, *details, *result.harm])
            console.print(Text(f"{result.case.title}: {said}"))
    for case in cases:
        if case.untried:
            console.print(Text(f"not tried, {case.title}: {case.untried}"))
