"""Environments of installed packages, to lay what is tested among them."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest


@dataclass(frozen=True)
class Environment:
    """A Python of its own, which finds our packages too."""

    python: Path
    packages: Path


def new_environment(folder: Path, *more: Path) -> Environment:
    """Make an environment in `folder`, in which also what lies in `more` can be imported."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    places = [Path(pytest.__file__).parents[1], *more]
    (packages / "these.pth").write_text("\n".join(map(str, places)))
    return Environment(folder / "bin" / "python", packages)
