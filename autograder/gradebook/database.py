"""The gradebook's database: opened once, and written by one run at a time."""

import sqlite3
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SAWarning, SQLAlchemyError

from autograder.course import Course
from autograder.course.locking import course_lock
from autograder.errors import CourseError, GraderFault
from autograder.gradebook import configuration
from autograder.gradebook.tables import INDEXES, NOTEBOOK, OWN, SCHEMA, VERSION


@contextmanager
def opened(url: str) -> Iterator[sa.Engine]:
    """Open a database; its errors, whatever is done with it, say what to do."""
    try:
        engine = _engine(url)
    except ModuleNotFoundError as error:
        is_postgresql = make_url(url).get_backend_name() == "postgresql"
        advice = "run `pip install 'psycopg[binary]'`" if is_postgresql else "install its driver"
        raise CourseError(f"The gradebook's database needs {error.name}: {advice}.") from None
    try:
        with explaining_errors():
            _refuse_newer(engine)
            yield engine
    finally:
        engine.dispose()  # its connections; it may be opened again


@contextmanager
def gradebook_of(course: Course, table: sa.TableClause = NOTEBOOK) -> Iterator[sa.Engine | None]:
    """Open a course's gradebook; None if nothing has made `table` in it yet."""
    url = configuration.url(course)
    if not exists(url):
        yield None
        return
    with opened(url) as engine:
        yield engine if sa.inspect(engine).has_table(table.name) else None


@lru_cache(maxsize=8)
def _engine(url: str) -> sa.Engine:
    """Return the engine of a database, which keeps what it compiled: a third of each opening."""
    engine = sa.create_engine(url)
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _use_write_ahead_log)
    return engine


def _refuse_newer(engine: sa.Engine) -> None:
    """Raise `CourseError` if a newer version of this program made our tables; change nothing."""
    version = version_of(engine) if exists(engine.url) else 0
    if version > VERSION:
        raise CourseError(
            f"The gradebook was written by a newer autograder (its tables have version {version}, "
            f"and this one knows {VERSION}): use that one, or restore a backup from before."
        )


def version_of(engine: sa.Engine) -> int:
    """Return the version of our tables; 0 if no version is noted, as until 1.0.0."""
    with engine.connect() as connection:
        if not sa.inspect(connection).has_table(SCHEMA.name):
            return 0
        return connection.scalar(sa.select(sa.func.max(SCHEMA.c.version))) or 0


def make_tables(engine: sa.Engine) -> None:
    """Create what is missing of ours in a gradebook that has nbgrader's tables."""
    if version_of(engine) == VERSION:
        return
    with writing(engine) as connection:
        OWN.create_all(connection)
        for index in INDEXES:
            index.create(connection, checkfirst=True)
        connection.execute(SCHEMA.delete())
        connection.execute(SCHEMA.insert().values(version=VERSION))


@contextmanager
def explaining_errors() -> Iterator[None]:
    """Turn database errors into a `GraderFault` that says what to do."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error) as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise GraderFault(
            f"The gradebook can't be used ({reason}). If another program has locked it, wait until "
            "that finishes; if its server doesn't run, start it; if the disk is full, make room; "
            "if it is damaged, restore a backup or move it away. Then run this again: no reports "
            "are lost."
        ) from error


def write_lock(course: Course) -> AbstractContextManager[None]:
    """Let only one run at a time write the gradebook and its folders; say so if it has to wait."""
    return course_lock(course, "gradebook", "another run is writing this course's gradebook")


def now() -> datetime:
    return in_utc(datetime.now(UTC))


def in_utc(time: datetime) -> datetime:
    """Return a time as tables have it, ours and nbgrader's: in UTC, without a zone."""
    return time.astimezone(UTC).replace(tzinfo=None)


@contextmanager
def writing(engine: sa.Engine) -> Iterator[sa.Connection]:
    """Begin a transaction in which what is read stays so until it is written.

    In SQLite there is one such at a time; elsewhere rows are read `FOR UPDATE`, which SQLite lacks.
    """
    with engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield connection


def replace_row(
    connection: sa.Connection, table: sa.Table, key: Mapping[str, Any], said: Mapping[str, Any]
) -> None:
    """Let the row of a key say this; there is none any more if nothing is said."""
    connection.execute(table.delete().filter_by(**key))
    if said:
        connection.execute(table.insert().values({**key, **said}))


def exists(url: str | sa.URL) -> bool:
    """Tell whether the database at `url` exists; on a server it is assumed to."""
    file = file_of(url)
    return file is None or file.is_file()


def file_of(url: str | sa.URL) -> Path | None:
    """Return the file that holds a database; None if it is on a server."""
    said = make_url(url)
    return Path(said.database or "") if said.get_backend_name() == "sqlite" else None


@explaining_errors()
def copy_file(file: Path, copy: Path) -> None:
    """Copy a gradebook in SQLite as it is at one moment: into one file, whole or not at all."""
    fresh = copy.with_name(f"{copy.name}.part")
    fresh.unlink(missing_ok=True)
    try:
        with (
            closing(sqlite3.connect(file, timeout=60)) as source,
            closing(sqlite3.connect(fresh)) as target,
        ):
            source.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")  # so that it is one file
        fresh.replace(copy)
    finally:
        fresh.unlink(missing_ok=True)


def overwrite(engine: sa.Engine, tables: Iterable[str]) -> None:
    """Write the database anew: what was deleted would remain in its free pages and its log."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        if engine.dialect.name != "sqlite":
            for name in tables:
                connection.execute(sa.text(f"VACUUM FULL {name}"))
            return
        connection.execute(sa.text("VACUUM"))
        is_busy, *_ = connection.execute(sa.text("PRAGMA wal_checkpoint(TRUNCATE)")).one()
    if is_busy:
        raise GraderFault(
            "Another program has the gradebook open, so what was deleted may remain in its log: "
            "end that, such as a desk or the formgrader, and run this again."
        )


@contextmanager
def shared_engine(url: str) -> Iterator[sa.Engine]:
    """Open the database once; nbgrader would open it ten times for each submission."""
    import nbgrader.api  # here: importing it takes seconds

    create, get_version = nbgrader.api.create_engine, nbgrader.api.get_alembic_version
    with opened(url) as engine, warnings.catch_warnings():
        # nbgrader was written for an older SQLAlchemy, which didn't warn.
        warnings.simplefilter("ignore", SAWarning)
        nbgrader.api.create_engine = lambda other, **options: (
            engine if other == url else create(other, **options)
        )
        nbgrader.api.get_alembic_version = _newest_version
        try:
            yield engine
        finally:
            nbgrader.api.create_engine = create
            nbgrader.api.get_alembic_version = get_version


def _newest_version() -> str:
    """Return the version of nbgrader's tables; nbgrader's own way runs a program for seconds."""
    from alembic.config import Config
    from alembic.script import ScriptDirectory
    from nbgrader.dbutil import ALEMBIC_DIR

    config = Config()
    config.set_main_option("script_location", ALEMBIC_DIR)
    return str(ScriptDirectory.from_config(config).get_current_head())


def _use_write_ahead_log(connection: Any, _: object) -> None:
    """Switch SQLite to a write-ahead log, so that readers and a writer don't block each other."""
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
