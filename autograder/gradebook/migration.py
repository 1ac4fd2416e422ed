"""A course that an earlier version made: what this version adds to it.

Tables are added as soon as they are needed. `migrate` does it at a moment that a person chooses,
and keeps a copy of what was there.
"""

from collections.abc import Callable
from datetime import UTC, datetime

from sqlalchemy import inspect

from autograder.course import Course
from autograder.gradebook import configuration, database
from autograder.gradebook.tables import NOTEBOOK, OWN, VERSION
from autograder.grading.submissions import read_report


def migrate(course: Course, tell: Callable[[str], None], *, dry_run: bool) -> list[str]:
    """Bring a course to this version; return what is changed, or would be, a sentence each.

    A gradebook that is a file is copied before; `tell` says where it is kept. Raises
    `CourseError`, and changes nothing, if a newer version wrote any of it.
    """
    said, damaged = [], 0
    for path in sorted(course.reports.glob("*/*.json")):
        try:
            read_report(path)
        except (OSError, ValueError):
            damaged += 1
    url = configuration.url(course)
    if database.exists(url):
        with database.write_lock(course), database.opened(url) as engine:
            there = inspect(engine).get_table_names()
            version = database.version_of(engine) if NOTEBOOK.name in there else VERSION
            if version != VERSION:
                missing = ", ".join(name for name in OWN.tables if name not in there)
                said.append(f"the gradebook's tables, to version {VERSION}: {missing} are added.")
                _keep(url, version, tell, dry_run=dry_run)
                if not dry_run:
                    database.make_tables(engine)
    if damaged:
        are = "1 report is" if damaged == 1 else f"{damaged} reports are"
        said.append(f"{are} of another form: `autograder grade` makes them again.")
    return said


def _keep(url: str, version: int, tell: Callable[[str], None], *, dry_run: bool) -> None:
    """Copy the gradebook beside itself, or say whose task it is."""
    file = database.file_of(url)
    if file is None:
        tell(
            "The gradebook is on a database server, so it isn't copied first: back it up with the "
            "server's own program, such as pg_dump."
        )
    elif not dry_run:
        copy = file.with_name(f"{file.name}-v{version}-{datetime.now(UTC):%Y-%m-%dT%H%M%SZ}")
        database.copy_file(file, copy)
        tell(f"The gradebook as it was is kept in {copy.name}, beside it.")
