"""nbgrader's settings: `nbgrader …` on the command line, the formgrader and `make` all use these.

`course.toml` says what the course is. Add nbgrader's own settings at the end; its documentation
lists them all.
"""

from autograder.gradebook.configuration import configure

c = get_config()  # noqa: F821 - nbgrader provides it
configure(c, __file__)
