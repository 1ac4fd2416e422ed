"""The catalogue on every level of isolation, each time in a program of its own, by its own user.

`show` prints what became of it.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.sandbox import kernel
from autograder.sandbox.host.probe import why_not
from autograder.sandbox.host.program import ONE_THREAD
from autograder.sandbox.limits import Isolation
from tests.courses import KIT, ROOT
from tests.hostile.cases import Case, catalogue
from tests.hostile.trials import Trials
from tests.processes import bury_orphans
from tests.sandbox.plain_user import UID

# The classes whose submissions try what only the kernel keeps them from.
_OF_KERNEL = ("network", "resources", "secrets")
_PLAIN_USER = [sys.executable, "-m", "tests.sandbox.plain_user"]


@dataclass(frozen=True)
class CaseResult:
    """What became of a case: `complaints` say what was not contained."""

    case: Case
    mode: "Mode"
    complaints: tuple[str, ...]

    @property
    def is_surprise(self) -> bool:
        return bool(self.complaints) != self.case.is_exposed_on(self.mode.level)


@dataclass(frozen=True)
class Mode:
    """A level of isolation, whether root gives up being root for it, and on which kernel."""

    level: Isolation
    as_plain_user: bool = False
    abi: int = 0  # the version of Landlock to emulate, if it isn't the machine's own

    def __str__(self) -> str:
        who = ", plain user" if self.as_plain_user else ""
        return f"{self.level}{who}" + (f", Landlock {self.abi}" if self.abi else "")

    def cases(self, kinds: Sequence[str]) -> list[Case]:
        """Return what is to be tried; what no kernel's version changes is tried on one alone."""
        return [case for case in catalogue(*kinds) if not self.abi or case.kind in _OF_KERNEL]

    def try_all(self, kinds: Sequence[str], scratch: Path) -> Iterator[CaseResult]:
        """Try the catalogue in a program whose temporary files go to `scratch`."""
        cases = {case.title: case for case in self.cases(kinds)}
        chosen = sorted({case.kind for case in cases.values()})
        worker = [sys.executable, "-m", "tests.hostile", "--on", self.level, *chosen]
        with tempfile.TemporaryDirectory() as home:  # for libraries' caches, which may stay
            if self.as_plain_user:
                worker = [*_PLAIN_USER, *worker]
                os.chown(home, UID, UID)
            environment = {"PATH": os.environ["PATH"], "HOME": home, "TMPDIR": str(scratch)}
            environment |= ONE_THREAD  # as the command line does
            environment |= {kernel.LANDLOCK_ABI: str(self.abi)} if self.abi else {}
            for line in _lines(worker, environment):
                title, *complaints = json.loads(line)
                yield CaseResult(cases[title], self, tuple(complaints))


def modes() -> list[Mode]:
    is_root = os.getuid() == 0  # a plain user has no choice
    of_root = [Mode(Isolation.ROOTNS), Mode(Isolation.LOCKDOWN)] if is_root else []
    return [*of_root, Mode(Isolation.USERNS, is_root), Mode(Isolation.LOCKDOWN, is_root)]


def older_kernels() -> list[Mode]:
    """Return the level at which the kernel's version matters, for whoever owns most there."""
    return [Mode(Isolation.LOCKDOWN, os.getuid() == 0, abi) for abi in (1, 2, 3)]


def work(level: Isolation, kinds: Sequence[str]) -> None:
    """Try the cases of `kinds`, or all, on `level`; print a line of JSON for each."""
    if reason := why_not(level):
        print(f"Level {level} is not offered here: {reason}.", file=sys.stderr)
        return
    cases = catalogue(*kinds)
    for assignment in sorted({case.assignment for case in cases}):
        with closing(Trials(KIT, level, assignment)) as trials:
            for case in cases:
                if case.assignment == assignment:
                    print(json.dumps([case.title, *trials.complaints(case)]), flush=True)


def _lines(command: Sequence[str], environment: Mapping[str, str]) -> Iterator[str]:
    """Yield what a program prints, line by line; raise if it fails."""
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        for line in program.stdout:
            yield line
            bury_orphans(program.pid)  # the kernel counts them among their user's threads
    if program.returncode:
        raise subprocess.CalledProcessError(program.returncode, command)


def show(results: Sequence[CaseResult], tried: Sequence[Mode], console: Console) -> None:
    """Print class by mode how many were contained, then those that were not."""
    table = Table(title="Contained hostile submissions", box=box.SIMPLE_HEAD, title_justify="left")
    table.add_column("class")
    for mode in tried:
        table.add_column(str(mode), justify="right")
    for kind in sorted({result.case.kind for result in results}):
        table.add_row(kind, *(_share(results, mode, kind) for mode in tried))
    table.add_section()
    table.add_row("all", *(_share(results, mode) for mode in tried))
    console.print(table)
    exceptions = (each for each in results if each.is_surprise or each.complaints)
    by_case = sorted(exceptions, key=lambda each: each.case.title)
    for _, group in groupby(by_case, key=lambda each: each.case.title):
        _show_exception(list(group), console)


def _share(results: Sequence[CaseResult], mode: Mode, kind: str = "") -> str:
    mine = [each for each in results if each.mode == mode and kind in ("", each.case.kind)]
    return f"{sum(not each.complaints for each in mine)}/{len(mine)}" if mine else "–"


def _show_exception(results: Sequence[CaseResult], console: Console) -> None:
    """Print a case, what was complained of on each level, and what the catalogue says of it."""
    case = results[0].case
    surprising = any(result.is_surprise for result in results)
    console.print(Text(f"\n{case.title}", style="red" if surprising else "yellow"))
    for result in results:
        for complaint in result.complaints or ["contained, though the catalogue says it isn't"]:
            console.print(Text(f"  {result.mode}: {complaint}"))
    if case.exposed:
        console.print(Text(f"  known: {case.exposed}"))
