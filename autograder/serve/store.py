"""The server's database, opened; what is written there is on the disk when a call returns."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Engine, event

from autograder.course import Course
from autograder.gradebook import configuration, database
from autograder.serve.tables import AUDIT, METADATA

FILE = "serve.db"


@dataclass(frozen=True)
class Store:
    course: Course
    engine: Engine

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        with database.writing(self.engine) as connection:
            yield connection

    def note(self, person: str, role: str, address: str, did: str) -> None:
        """Note in the audit log who did what."""
        said = {"at": now(), "person": person, "role": role, "address": address, "did": did[:200]}
        with self.writing() as connection:
            connection.execute(AUDIT.insert().values(said))


@contextmanager
def open_store(course: Course) -> Iterator[Store]:
    """Open the server's tables, and make those that are missing."""
    with database.explaining_errors(), database.opened(url_of(course)) as engine:
        if engine.dialect.name == "sqlite":
            (course.root / FILE).touch(0o600)
            event.listen(engine, "connect", _keep_each_commit)
        METADATA.create_all(engine)
        yield Store(course, engine)


def url_of(course: Course) -> str:
    """Return where the tables are: in a file of their own, or beside a gradebook on a server."""
    url = configuration.url(course)
    return f"sqlite:///{course.root / FILE}?timeout=60" if database.is_in_file(url) else url


def now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)


def hashed(secret: str) -> str:
    """Return what is kept of a secret that is long and random."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _keep_each_commit(connection: Any, _: object) -> None:
    connection.execute("PRAGMA synchronous=FULL")
