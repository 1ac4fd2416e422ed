"""Tokens: with one, a student's notebook hands in, and reads what became of that.

A token is worth nothing anywhere else: no page takes it for a session, and what takes it takes no
cookie. A student has one at a time; a new one ends the one before.
"""

from datetime import datetime, timedelta
from urllib.parse import urlsplit

from sqlalchemy import select
from starlette.requests import Request

from autograder.course.settings import is_loopback
from autograder.errors import CourseError
from autograder.gradebook.database import now
from autograder.serve.people import Identity, Session
from autograder.serve.store import Store
from autograder.serve.tables import TOKENS

VALID = timedelta(days=60)


def make(store: Store, student: str) -> str:
    """Return a new token, which is known nowhere else; the student's earlier one ends.

    Raises `CourseError` if the network could read it.
    """
    if not (store.is_secure or is_loopback(urlsplit(store.site).hostname or "")):
        raise CourseError(
            "A notebook can hand in only over https: hand in on this page, and tell your "
            "instructor."
        )
    return store.draw(TOKENS, VALID, TOKENS.c.person == student, person=student)


def end(store: Store, student: str) -> None:
    store.write(TOKENS.delete().where(TOKENS.c.person == student))


def until(store: Store, student: str) -> datetime | None:
    """Return when the student's token ends; None if there is none."""
    wanted = select(TOKENS.c.expires).where(TOKENS.c.person == student, TOKENS.c.expires > now())
    return next((row.expires for row in store.rows(wanted)), None)


def session_of(request: Request) -> Session | None:
    """Return the person that a request's token lets in, if it has one."""
    store: Store = request.app.state.store
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    is_token = scheme.lower() == "bearer" and bool(token)
    row = store.unexpired(TOKENS, token) if is_token else None
    return Session(Identity(row.person), csrf="", key=row.key) if row else None
