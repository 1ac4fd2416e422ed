"""The course's `nbgrader_config.py`, which everything that nbgrader does goes by."""

from __future__ import annotations

from pathlib import Path

from traitlets.config import Config
from traitlets.config.loader import ConfigFileNotFound, PyFileConfigLoader

from autograder.course import Course
from autograder.errors import CourseError

_FILE = "nbgrader_config.py"


def path(course: Course) -> Path:
    """Return where the settings of `course` lie."""
    return course.root / _FILE


def load(course: Course) -> Config:
    """Return the settings of `course`."""
    try:
        return PyFileConfigLoader(_FILE, path=str(course.root)).load_config()
    except ConfigFileNotFound:
        raise CourseError(f"{course.root} has no {_FILE}: copy the kit's into it.") from None


def url(course: Course) -> str:
    """Return where the gradebook of `course` is."""
    return str(load(course).CourseDirectory.db_url)


def elsewhere(config: Config, root: Path) -> Config:
    """Return the same settings for a course directory at `root`."""
    return Config(config, CourseDirectory=Config(config.CourseDirectory, root=str(root)))
