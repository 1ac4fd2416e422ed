"""Courses of the kit's own assignments, to hand in to."""

from __future__ import annotations

import shutil
from pathlib import Path

from autograder.course import Course
from tests.toys import ROOT


def copy_of_kit(root: Path) -> Course:
    """Make a course at `root` of the kit's solutions, releases and settings."""
    for name in ("solutions", "assignments"):
        shutil.copytree(ROOT / name, root / name)
    shutil.copy(ROOT / "nbgrader_config.py", root)
    return Course(root)
