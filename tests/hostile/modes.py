"""The catalogue on every level of isolation, each time in a program of its own, by its own user."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.sandbox.host.probe import why_not
from autograder.sandbox.host.program import ONE_THREAD
from autograder.sandbox.limits import Isolation
from tests.courses import KIT, ROOT
from tests.hostile.cases import Case, catalogue
from tests.hostile.trials import Trials
from tests.sandbox.plain_user import UID

_PLAIN_USER = [sys.executable, "-m", "tests.sandbox.plain_user"]


@dataclass(frozen=True)
class Mode:
    """A level of isolation, and whether root gives up being root for it."""

    level: Isolation
    as_plain_user: bool = False

    def __str__(self) -> str:
        return f"{self.level}, plain user" if self.as_plain_user else str(self.level)

    def try_all(self, kinds: Sequence[str], scratch: Path) -> Iterator[Result]:
        """Try the catalogue in a program whose temporary files go to `scratch`."""
        worker = [sys.executable, "-m", "tests.hostile", "--on", self.level, *kinds]
        with tempfile.TemporaryDirectory() as home:  # for libraries' caches, which may stay
            if self.as_plain_user:
                worker = [*_PLAIN_USER, *worker]
                os.chown(home, UID, UID)
            environment = {"PATH": os.environ["PATH"], "HOME": home, "TMPDIR": str(scratch)}
            environment |= ONE_THREAD  # as the command line does
            for line in _lines(worker, environment):
                title, *complaints = json.loads(line)
                yield Result(_by_title(title), self, tuple(complaints))


@dataclass(frozen=True)
class Result:
    """What became of a case: `complaints` say what was not contained."""

    case: Case
    mode: Mode
    complaints: tuple[str, ...]

    @property
    def is_contained(self) -> bool:
        """Whether nobody was hurt."""
        return not self.complaints

    @property
    def is_surprise(self) -> bool:
        """Whether the catalogue says otherwise."""
        return self.is_contained == self.case.is_exposed_on(self.mode.level)


def modes() -> list[Mode]:
    """Return the modes that this user can try."""
    plain = os.getuid() == 0  # a plain user has no choice
    own = [Mode(Isolation.ROOTNS)] if plain else []
    lockdowns = [Mode(Isolation.LOCKDOWN)] if plain else []
    return [*own, Mode(Isolation.USERNS, plain), *lockdowns, Mode(Isolation.LOCKDOWN, plain)]


def work(level: Isolation, kinds: Sequence[str]) -> None:
    """Try the cases of `kinds`, or all, on `level`; print a line of JSON for each."""
    if reason := why_not(level):
        print(f"Level {level} is not offered here: {reason}.", file=sys.stderr)
        return
    cases = [case for case in catalogue() if not kinds or case.kind in kinds]
    for assignment in sorted({case.assignment for case in cases}):
        with Trials(KIT, level, assignment) as trials:
            for case in cases:
                if case.assignment == assignment:
                    print(json.dumps([case.title, *trials.complaints(case)]), flush=True)


def _lines(command: Sequence[str], environment: Mapping[str, str]) -> Iterator[str]:
    """Yield what a program prints, line by line; raise if it fails."""
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        yield from program.stdout
    if program.returncode:
        raise subprocess.CalledProcessError(program.returncode, command)


def _by_title(title: str) -> Case:
    return next(case for case in catalogue() if case.title == title)
