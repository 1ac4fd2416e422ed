"""The same submissions graded by stock nbgrader, which runs them without a sandbox, in a jail.

Its points hang on the release's visible checks. An honest submission is graded first, so that what
a hostile one gets can be compared with what it earned.
"""

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
class Fate:
    """What stock nbgrader made of a case: points by exercise, if it got as far as that."""

    case: Case
    scores: Mapping[str, float] = field(default_factory=dict)
    harm: Sequence[str] = ()
    in_time: bool = True

    @property
    def unearned(self) -> dict[str, float]:
        """What exercises got more points than they may, and how many."""
        return {name: score for name, score in self.scores.items() if score > self._most(name)}

    @property
    def has_no_grade(self) -> bool:
        """Whether grading was aborted, though the notebook was none to be refused."""
        return not self.scores and not self.case.refused and self.in_time

    def cost_others(self, honest: Mapping[str, float]) -> bool:
        """Tell whether exercises lost points that had nothing to do with it."""
        case = self.case
        touched = {*case.loses, *case.at_most} if case.answers == "solved" else honest.keys()
        return any(self.scores.get(name, 0) < honest[name] for name in honest.keys() - touched)

    def _most(self, exercise: str) -> float:
        case = self.case
        none = case.answers != "solved" or exercise in case.loses
        return 0 if none else case.at_most.get(exercise, float("inf"))


def try_stock(kinds: Sequence[str]) -> None:
    """Print what became of the cases of `kinds`, or of all, class by class."""
    if os.getuid():
        sys.exit("Only root can build the jail that stock nbgrader needs: run it as root.")
    console = Console()
    cases = [case for case in catalogue() if not kinds or case.kind in kinds]
    tried = [case for case in cases if not case.untried]
    with tempfile.TemporaryDirectory() as folder:
        stock = Stock(Path(folder))
        honest = {name: stock.grade(HONEST.model_copy(update={"assignment": name})) for name in
                  sorted({case.assignment for case in cases})}  # fmt: skip
        fates = [stock.grade(case) for case in track(tried, "Stock nbgrader", console=console)]
    _show(cases, fates, {name: fate.scores for name, fate in honest.items()}, console)


class Stock:
    """Courses of stock nbgrader, an assignment each, to copy into a jail for every submission."""

    def __init__(self, folder: Path) -> None:
        folder.chmod(0o755)
        self._folder, self._disk = folder, folder / "disk"
        self._disk.mkdir()
        os.environ |= {"MPLCONFIGDIR": str(folder), "MPLBACKEND": "agg"}
        for name in ("nbgrader.apps", "matplotlib.font_manager"):
            import_module(name)  # each jail inherits the one, and the list of fonts by the other

    def grade(self, case: Case) -> Fate:
        """Let stock nbgrader grade a case."""
        made = self._folder / case.assignment
        if not made.exists():
            make_stock(KIT, made, case.assignment)
        result = jailed(partial(_grade, case, made, self._disk), self._disk, SECONDS + 30)
        return Fate(case, **(result or {"harm": ["it ended the whole run"]}))


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
    fates: Sequence[Fate],
    honest: Mapping[str, Mapping[str, float]],
    console: Console,
) -> None:
    console.print(Text(f"An honest submission gets {dict(honest)}"))
    table = Table(title="Graded by stock nbgrader", box=box.SIMPLE_HEAD, title_justify="left")
    table.add_column("class")
    columns = ("tried", "unearned", "no grade", "over a minute", "cost others", "harm", "any")
    for column in (*columns, "not tried"):
        table.add_column(column, justify="right")
    for kind in (*sorted({case.kind for case in cases}), ""):
        mine = [fate for fate in fates if kind in ("", fate.case.kind)]
        counts = [sum(each) for each in zip(*(_counts(fate, honest) for fate in mine), strict=True)]
        untried = sum(kind in ("", case.kind) and bool(case.untried) for case in cases)
        table.add_row(kind or "all", *map(str, (len(mine), *counts, untried)))
    console.print(table)
    for fate in fates:
        if any(counts := _counts(fate, honest)):
            words = [name for name, holds in zip(columns[1:-1], counts, strict=False) if holds]
            details = [f"{name} {score:g}" for name, score in fate.unearned.items()]
            console.print(Text(f"{fate.case.title}: {', '.join([*words, *details, *fate.harm])}"))
    for case in cases:
        if case.untried:
            console.print(Text(f"not tried, {case.title}: {case.untried}"))


def _counts(fate: Fate, honest: Mapping[str, Mapping[str, float]]) -> list[bool]:
    """Tell which of the table's columns a fate counts in."""
    others = bool(fate.scores) and fate.cost_others(honest[fate.case.assignment])
    each = [bool(fate.unearned), fate.has_no_grade, not fate.in_time, others, bool(fate.harm)]
    return [*each, any(each)]
