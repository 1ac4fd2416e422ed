"""The gradebook's database, opened once: nbgrader opens it ten times for each submission."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SAWarning

from autograder.course import Course
from autograder.errors import CourseError


@contextmanager
def opened(url: str) -> Iterator[Engine]:
    """Open the database at `url`."""
    try:
        engine = create_engine(url)
    except ModuleNotFoundError as error:
        raise CourseError(_what_to_install(url, error)) from None
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _use_a_log)
    try:
        yield engine
    finally:
        engine.dispose()


@contextmanager
def write_lock(course: Course) -> Iterator[None]:
    """Let only one of us write the gradebook and what is beside it; others wait, and say so."""
    course.work.mkdir(exist_ok=True)
    lock = FileLock(course.work / "gradebook.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        print("Waiting: another run is writing this course's gradebook.", file=sys.stderr)
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def exists(url: str) -> bool:
    """Tell whether there is something at `url` to look into; a server is taken to be there."""
    file = make_url(url).database if url.startswith("sqlite") else None
    return file is None or Path(file).is_file()


@contextmanager
def shared_engine(url: str) -> Iterator[Engine]:
    """Open it, and let nbgrader's gradebooks use the same engine."""
    import nbgrader.api  # here: it takes seconds

    create, newest = nbgrader.api.create_engine, nbgrader.api.get_alembic_version
    with opened(url) as engine, warnings.catch_warnings():
        # nbgrader was written for an older SQLAlchemy, which did not mind.
        warnings.simplefilter("ignore", SAWarning)
        nbgrader.api.create_engine = lambda other, **options: (
            engine if other == url else create(other, **options)
        )
        nbgrader.api.get_alembic_version = _newest_version
        try:
            yield engine
        finally:
            nbgrader.api.create_engine = create
            nbgrader.api.get_alembic_version = newest


def _newest_version() -> str:
    """Return the version of nbgrader's tables; nbgrader starts a program that takes seconds."""
    from alembic.config import Config
    from alembic.script import ScriptDirectory
    from nbgrader.dbutil import ALEMBIC_DIR

    config = Config()
    config.set_main_option("script_location", ALEMBIC_DIR)
    return str(ScriptDirectory.from_config(config).get_current_head())


def _what_to_install(url: str, missing: ModuleNotFoundError) -> str:
    if make_url(url).get_backend_name() == "postgresql":
        return (
            "A gradebook in PostgreSQL needs psycopg: run `pip install 'autograder[postgresql]'`."
        )
    return f"The gradebook's database needs {missing.name}: run `pip install {missing.name}`."


def _use_a_log(connection: Any, _: object) -> None:
    """Let SQLite append to a log: readers and a writer don't wait for each other."""
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
