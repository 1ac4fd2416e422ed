"""Python programs and our command line, run in a course as a person would run them there."""

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from autograder import cli
from tests.courses import ROOT


def environment(**more: str) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT)} | more


def run(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run Python in `folder`, with `more` in its environment; it may fail."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment(**more),
        capture_output=True,
        text=True,
        check=False,
    )


@contextlib.contextmanager
def running(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Our command line while it runs in `folder`, as a program of its own."""
    with subprocess.Popen(
        [sys.executable, "-m", "autograder", *arguments],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        yield program


def wait_until_graded(run: subprocess.Popen[str], number: int = 1) -> None:
    """Wait until a run with `--json-lines` has told of so many submissions that are graded."""
    assert run.stdout
    while number:
        number -= json.loads(run.stdout.readline())["event"] == "graded"


def autograder(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run our command line in `folder`, with `more` in its environment; it may fail.

    It runs in this process, where all that it imports is imported already: as a program of its own
    it would spend seconds on that. `run` starts that program, and so do the tests of the pages.
    """
    return autograder_under(0o022, folder, *arguments, **more)


def autograder_under(
    mask: int, folder: Path, *arguments: str, **more: str
) -> subprocess.CompletedProcess[str]:
    """Run it as somebody whose shell has this umask."""
    said, complained = io.StringIO(), io.StringIO()
    command, before = ["autograder", *arguments], os.umask(mask)
    with (
        contextlib.chdir(folder),
        patch.dict(os.environ, more),
        patch.object(sys, "argv", list(command)),
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(complained),
    ):
        status = _status_of_main()
    os.umask(before)  # it is a program's own
    return subprocess.CompletedProcess(command, status, said.getvalue(), complained.getvalue())


def _status_of_main() -> int:
    try:
        cli.main()
    except SystemExit as ended:
        assert ended.code is None or isinstance(ended.code, int), ended.code
        return ended.code or 0
    return 0
