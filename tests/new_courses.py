"""Courses as `autograder init` makes them."""

from pathlib import Path

from autograder.course import Course, scaffold


def made(folder: Path) -> Course:
    """Make a course in `folder`, without what the environment may override."""
    scaffold.init(folder)
    return Course.load(folder, environment={})
