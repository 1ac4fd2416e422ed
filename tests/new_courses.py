"""Courses as `autograder init` makes them, and the command line run in them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from autograder.course import Course, scaffold
from tests.courses import ROOT


def made(folder: Path) -> Course:
    """Make a course in `folder`, without what the environment may override."""
    scaffold.init(folder)
    return Course.load(folder, environment={})


def autograder(
    folder: Path, *arguments: str, before: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command line in `folder`; modules in `before` hide those that are installed."""
    names = [str(path) for path in (before, ROOT) if path]
    environment = {name: text for name, text in os.environ.items() if "AUTOGRADER" not in name}
    return subprocess.run(
        [sys.executable, "-m", "autograder", *arguments],
        cwd=folder,
        env=environment | {"PYTHONPATH": os.pathsep.join(names), "COLUMNS": "100"},
        capture_output=True,
        text=True,
        timeout=300,
    )
