"""Who is signed in, in which role, and whose work they may see.

`sign_in` is the one way in: an invitation, LTI and OpenID Connect end with it. A session is a row;
its cookie is random, known to the browser alone, and worth nothing once the row is gone.
"""

import json
import secrets
from collections.abc import Container
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any, Self

from sqlalchemy import Row
from starlette.requests import Request
from starlette.responses import Response

from autograder.browsers import address_of, redirect
from autograder.course import Course
from autograder.course.roster import EVERYBODY, problem_with
from autograder.errors import CourseError, shown
from autograder.serve.store import Store, hashed
from autograder.serve.tables import SESSIONS

Whose = Container[object]  # students, by id
SESSION = timedelta(days=30)


class Role(StrEnum):
    STUDENT = "student"
    TA = "ta"
    INSTRUCTOR = "instructor"


@dataclass(frozen=True)
class Identity:
    """Somebody known: a student by the id in the roster, anybody else by a name."""

    person: str
    role: Role = Role.STUDENT
    sections: tuple[str, ...] = ()  # whose work a TA sees: none means everybody's

    @classmethod
    def of(cls, row: Row[Any]) -> Self:
        """Return who a row is about that holds `columns`."""
        return cls(row.person, Role(row.role), tuple(json.loads(row.sections)))

    @property
    def columns(self) -> dict[str, Any]:
        return {"person": self.person, "role": self.role, "sections": json.dumps(self.sections)}

    @property
    def is_staff(self) -> bool:
        return self.role is not Role.STUDENT

    def sees(self, course: Course) -> Whose:
        """Return the students whose work this person may see; `student in …` tells."""
        if not self.is_staff:
            return (self.person,)
        if self.role is Role.INSTRUCTOR or not self.sections:
            return EVERYBODY
        return frozenset().union(*(course.section(each).students for each in self.sections))


@dataclass(frozen=True)
class Session:
    identity: Identity
    csrf: str  # what a form of theirs must hold
    key: str  # of its row


def sign_in(request: Request, identity: Identity, by: str, to: str = "/") -> Response:
    """Begin a session, and lead to a path of ours; an earlier session of this browser ends.

    `by` says for the log how they came, as "a link". The application's state has the store.
    """
    if problem := problem_with(identity.person):
        raise CourseError(f"'{shown(identity.person[:80])}' can't sign in: {problem}.")
    store: Store = request.app.state.store
    old = SESSIONS.c.key == hashed(request.cookies.get(cookie_name(store), ""))
    token = store.draw(SESSIONS, SESSION, old, csrf=secrets.token_hex(32), **identity.columns)
    store.note(identity.person, identity.role, address_of(request), f"signed in by {by}")
    path = "/" + to.lstrip("/\\")  # one slash: two would lead to another site
    response = redirect(path)
    response.set_cookie(
        cookie_name(store),
        token,
        max_age=int(SESSION.total_seconds()),
        secure=store.is_secure,
        httponly=True,
        samesite="lax",
    )
    return response


def session_of(request: Request) -> Session | None:
    """Return the session that a request's cookie names, if it is one."""
    store: Store = request.app.state.store
    token = request.cookies.get(cookie_name(store))
    row = store.unexpired(SESSIONS, token) if token else None
    return Session(Identity.of(row), row.csrf, row.key) if row else None


def sign_out(request: Request) -> Response:
    store: Store = request.app.state.store
    key = hashed(request.cookies.get(cookie_name(store), ""))
    store.write(SESSIONS.delete().where(SESSIONS.c.key == key))
    response = redirect("/")
    response.delete_cookie(cookie_name(store), secure=store.is_secure, httponly=True)
    return response


def cookie_name(store: Store, name: str = "autograder") -> str:
    """Return a cookie's name: with that prefix, browsers take it over TLS from this host only."""
    return f"__Host-{name}" if store.is_secure else name
