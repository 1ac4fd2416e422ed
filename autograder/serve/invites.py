"""Invitations: a link for each person, by mail or on paper, that signs in once.

To open a link changes nothing, since programs that read mail open links, too: the page that it
leads to has a button.
"""

from collections.abc import Collection, Iterable, Iterator
from datetime import timedelta

from autograder.course import Course
from autograder.course.roster import FILE
from autograder.errors import CourseError, shown
from autograder.gradebook.database import now
from autograder.serve.people import Identity
from autograder.serve.store import Store, hashed
from autograder.serve.tables import INVITES, SESSIONS, TOKENS

AGAIN = timedelta(minutes=10)  # in which the same form signs in again
_LENGTH = 24  # bytes: 32 letters, which can be typed from paper


def invite(store: Store, who: Identity, valid: timedelta) -> str:
    """Return the link of a new invitation; the secret in it is known nowhere else."""
    secret = store.draw(INVITES, valid, length=_LENGTH, **who.columns)
    return f"{store.site}/invite/{secret}"


def whose(store: Store, secret: str) -> Identity | None:
    """Return who is invited by a secret; None if it is used, revoked, outdated or made up."""
    row = store.unexpired(INVITES, secret)
    return Identity.of(row) if row else None


def use(store: Store, secret: str, form: str) -> Identity | None:
    """Return who is invited, and end the invitation: of two who use it at once, one is let in.

    `form` is what the page's form holds, another one each time that it is shown. The same
    form lets its sender in again within minutes: the first answer may have been lost on its way.
    """
    who, used = whose(store, secret), f"{secret} by {form}"
    if who is None:
        return whose(store, used)
    row = {"key": hashed(used), **who.columns, "expires": now() + AGAIN}
    with store.writing() as connection:
        mine = INVITES.c.key == hashed(secret)
        if not connection.execute(INVITES.delete().where(mine)).rowcount:
            return None
        connection.execute(INVITES.insert().values(row))
    return who


def revoke(store: Store, people: Iterable[str]) -> tuple[int, ...]:
    """End the invitations, sessions and tokens of these people; return how many of each."""
    names = list(people)
    with store.writing() as connection:
        ended = (
            each.delete().where(each.c.person.in_(names)) for each in (INVITES, SESSIONS, TOKENS)
        )
        return tuple(connection.execute(each).rowcount for each in ended)


def invite_each(
    store: Store, people: Iterable[Identity], valid: timedelta
) -> Iterator[tuple[Identity, str]]:
    """Yield each of these people with a link of their own."""
    for who in people:
        yield who, invite(store, who, valid)


def students_named(course: Course, names: Collection[str]) -> list[Identity]:
    """Return the students of these ids, all of the roster if none is given.

    Raises `CourseError` for an id that isn't in the roster.
    """
    known = [each.student_id for each in course.people]
    if not known:
        raise CourseError(
            f"There is no {FILE}, so nobody is known: import one by `autograder roster import`."
        )
    if odd := next((name for name in names if name not in known), ""):
        raise CourseError(f"{FILE} knows no student {shown(odd)!r}: check the id.")
    return [Identity(each) for each in names or known]
