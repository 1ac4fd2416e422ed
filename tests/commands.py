"""Python programs run in a course, as a person would run them there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.courses import ROOT


def environment(**more: str) -> dict[str, str]:
    """Return an environment in which this package can be imported."""
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
