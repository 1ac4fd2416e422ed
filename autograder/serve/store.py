"""The server's database, opened; what is written there is on the disk when a call returns."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import timedelta
from secrets import token_urlsafe
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from autograder.course import Course, roster, settings
from autograder.course.course import SERVED
from autograder.course.saving import sign_of
from autograder.errors import CourseError
from autograder.gradebook import configuration, database
from autograder.gradebook.database import now
from autograder.serve.tables import (
    APPEALS,
    AUDIT,
    INVITES,
    MEMBERS,
    METADATA,
    SCORES,
    SESSIONS,
    TOKENS,
    TRIES,
)

Criterion = sa.ColumnElement[bool]


class Store:
    """The database, and the course as its own files have it now."""

    def __init__(self, course: Course, engine: sa.Engine) -> None:
        self.engine = engine
        self._course, self._sign = course, _sign(course)

    @property
    def course(self) -> Course:
        """The course; where its dates, policies or roster were changed, as they are now.

        Its address stays: that is where it is served.
        """
        sign = _sign(self._course)
        if sign != self._sign:
            with suppress(CourseError, OSError):  # it is being written: what was there still holds
                self._course = Course.load(self._course.root).at_address(self.site)
                self._sign = sign
        return self._course

    @property
    def site(self) -> str:
        """The server's address as browsers know it, as https://hw.example."""
        return self._course.settings.serve.address

    @property
    def is_secure(self) -> bool:
        return self.site.startswith("https://")

    def unexpired(self, table: sa.Table, secret: str) -> sa.Row[Any] | None:
        """Return the row that somebody's secret names, if there is one that still holds."""
        mine = table.c.key == hashed(secret), table.c.expires > now()
        return next(iter(self.rows(sa.select(table).where(*mine))), None)

    def writing(self) -> AbstractContextManager[sa.Connection]:
        return database.writing(self.engine)

    def rows(self, wanted: sa.Select[Any]) -> Sequence[sa.Row[Any]]:
        with self.engine.connect() as connection:
            return connection.execute(wanted).all()

    def write(self, *changes: sa.UpdateBase) -> None:
        """Make these changes, all of them or none."""
        with self.writing() as connection:
            for each in changes:
                connection.execute(each)

    def add(self, row: Mapping[str, object], table: sa.Table, *old: Criterion) -> None:
        """Add a row that expires; those go that have expired, and the `old` ones it replaces."""
        outdated = sa.or_(table.c.expires < now(), *old)
        self.write(table.delete().where(outdated), table.insert().values(row))

    def draw(
        self, table: sa.Table, valid: timedelta, *old: Criterion, length: int = 32, **row: object
    ) -> str:
        """Return a new secret that names this row for a while; it is known nowhere else."""
        secret = token_urlsafe(length)
        self.add({**row, "key": hashed(secret), "expires": now() + valid}, table, *old)
        return secret

    def note(self, person: str, role: str, address: str, did: str, about: str = "") -> None:
        """Note in the audit log who did what, and `about` which student."""
        said = {"at": now(), "person": person, "role": role, "address": address}
        said |= {"did": did[:200], "about": about}
        self.write(AUDIT.insert().values(said))


@contextmanager
def open_store(course: Course) -> Iterator[Store]:
    """Open the server's tables, and make those that are missing."""
    with database.opened(url_of(course)) as engine:
        if engine.dialect.name == "sqlite":
            (course.root / SERVED).touch(0o600)
            sa.event.listen(engine, "connect", _keep_each_commit)
            engine.dispose()  # the connection that has looked for a version was made before
        METADATA.create_all(engine)
        yield Store(course, engine)


def url_of(course: Course) -> str:
    """Return where the tables are: in a file of their own, or beside a gradebook on a server."""
    url = configuration.url(course)
    return f"sqlite:///{course.root / SERVED}?timeout=60" if database.file_of(url) else url


def known_about(course: Course, student: str) -> dict[str, list[dict[str, object]]]:
    """Return what these tables hold about a student, by the table's name."""
    found: dict[str, list[dict[str, object]]] = {}
    if database.exists(url_of(course)):
        with open_store(course) as store:
            for table, about in _about(student):
                rows = store.rows(sa.select(table).where(about))
                found[table.name] = [dict(row._mapping) for row in rows]
    return {name: rows for name, rows in found.items() if rows}


def forget(course: Course, student: str) -> None:
    """Delete it, also from the database's free pages."""
    if database.exists(url_of(course)):
        with open_store(course) as store:
            store.write(*(table.delete().where(about) for table, about in _about(student)))
            database.overwrite(store.engine, [table.name for table, _ in _about(student)])


def _about(student: str) -> list[tuple[sa.Table, Criterion]]:
    whose = ((table, table.c.student == student) for table in (TRIES, APPEALS, MEMBERS, SCORES))
    people = ((table, table.c.person == student) for table in (SESSIONS, INVITES, TOKENS))
    logged = (AUDIT.c.person == student) | (AUDIT.c.about == student)
    return [*whose, *people, (AUDIT, logged)]


def _sign(course: Course) -> tuple[object, ...]:
    """Return what differs when `course.toml` or the roster was written again."""
    return tuple(sign_of(course.root / name) for name in (settings.FILE, roster.FILE))


def hashed(secret: str) -> str:
    """Return what is kept of a secret that is long and random."""
    return hashlib.sha256(secret.encode()).hexdigest()


def put(
    connection: sa.Connection,
    table: sa.Table,
    key: Mapping[str, object],
    said: Mapping[str, object],
    first: Mapping[str, object],
) -> sa.Row[Any]:
    """Write a row, what it holds at `first` only if it is new, and return it."""
    same = [table.c[name] == value for name, value in key.items()]
    if not connection.execute(table.update().where(*same).values(said)).rowcount:
        put_new(connection, table, {**first, **key, **said})
    return connection.execute(sa.select(table).where(*same)).one()


def put_new(connection: sa.Connection, table: sa.Table, row: Mapping[str, object]) -> None:
    """Insert a row, unless it is there, as somebody else may just have put it."""
    with suppress(IntegrityError), connection.begin_nested():
        connection.execute(table.insert().values(row))


def _keep_each_commit(connection: Any, _: object) -> None:
    connection.execute("PRAGMA synchronous=FULL")
