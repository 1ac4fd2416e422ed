"""Scores go to platforms: each is owed until the platform has it, whatever ends in between.

What is owed is the newest score alone. One that can't be delivered is tried again, later each time,
and given up after some days, unless it changes.
"""

import asyncio
import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Row, select

from autograder.errors import PlatformFault
from autograder.gradebook.database import now
from autograder.serve.lti.platforms import LtiPlatform, all_of
from autograder.serve.lti.scores import scores_on
from autograder.serve.lti.services import Services
from autograder.serve.store import Store, put
from autograder.serve.tables import CONTEXTS, LINKS, MEMBERS, SCORES

AT_ONCE = 8  # requests
BATCH = 100  # scores
LEASE = timedelta(minutes=5)  # in which a courier that took a batch delivers it
FIRST_WAIT, LONGEST_WAIT = timedelta(minutes=1), timedelta(hours=6)
MAX_FAILURES = 24  # in a row: about four days
_LINKED = LINKS.join(CONTEXTS, CONTEXTS.c.number == LINKS.c.context)


def owe(store: Store, assignments: Iterable[str]) -> None:
    """Note which platforms don't know the present scores on `assignments`."""
    course = store.course
    lti_ids = {each.student_id: each.lti_id for each in course.people}
    platforms = {each.number: each for each in all_of(store)}
    for assignment in assignments:
        linked = _linked(store, assignment)
        scores = scores_on(course, assignment) if linked else {}
        for row in linked:
            subject = platforms[row.platform].subject(lti_ids.get(row.student, ""))
            if subject and row.student in scores:
                said = json.dumps(scores[row.student] | {"userId": subject}, sort_keys=True)
                _note(store, row.link, row.student, said)


def _linked(store: Store, assignment: str) -> Sequence[Row[Any]]:
    """Return the students whose scores on an assignment some link takes."""
    takes = (LINKS.c.line_item != "") | (LINKS.c.line_items != "")
    return store.rows(
        select(LINKS.c.number.label("link"), MEMBERS.c.student, CONTEXTS.c.platform)
        .select_from(_LINKED.join(MEMBERS, MEMBERS.c.context == CONTEXTS.c.number))
        .where(LINKS.c.assignment == assignment, CONTEXTS.c.accepted, takes)
    )


def _note(store: Store, link: int, student: str, score: str) -> None:
    """Note a score, unless it is the one that was noted before."""
    same = (SCORES.c.link == link) & (SCORES.c.student == student)
    if any(row.score == score for row in store.rows(select(SCORES.c.score).where(same))):
        return
    fresh = {"score": score, "delivered": False, "failures": 0, "next_try": now(), "problem": ""}
    with store.writing() as connection:
        put(connection, SCORES, {"link": link, "student": student}, fresh, {})


async def deliver(store: Store, services: Services) -> list[bool]:
    """Deliver what is owed and due by now; return of each score whether it arrived."""
    platforms = {each.number: each for each in all_of(store)}
    gate = asyncio.Semaphore(AT_ONCE)
    by_link: dict[int, list[Row[Any]]] = {}
    for row in _take(store):
        by_link.setdefault(row.link, []).append(row)

    async def one(platform: LtiPlatform, line_item: str, row: Row[Any]) -> bool:
        time = datetime.now(UTC).isoformat(timespec="milliseconds")
        try:
            async with gate:
                said = json.loads(row.score) | {"timestamp": time}
                await services.give_score(platform, line_item, said)
        except PlatformFault as error:
            return _arrived(store, row, error)
        return _arrived(store, row)

    async def of_one_link(rows: list[Row[Any]]) -> list[bool]:
        platform, line_item = platforms[rows[0].platform], rows[0].line_item
        try:
            line_item = line_item or await _new_column(store, services, platform, rows)
        except PlatformFault as error:
            return [_arrived(store, row, error) for row in rows]
        return await asyncio.gather(*(one(platform, line_item, row) for row in rows))

    found = await asyncio.gather(*map(of_one_link, by_link.values()))
    return [arrived for each in found for arrived in each]


def _take(store: Store) -> list[Row[Any]]:
    """Return what is due, and keep others from it for as long as its delivery may take."""
    wanted = (
        select(SCORES, LINKS.c.assignment, LINKS.c.line_item, LINKS.c.line_items)
        .add_columns(CONTEXTS.c.platform, LINKS.c.link.label("link_id"))
        .select_from(SCORES.join(_LINKED, SCORES.c.link == LINKS.c.number))
        .where(SCORES.c.delivered == sa.false(), SCORES.c.failures < MAX_FAILURES)
        .where(SCORES.c.next_try <= now())
        .order_by(SCORES.c.next_try)
        .limit(BATCH)
        .with_for_update(of=SCORES)
    )
    with store.writing() as connection:
        rows = list(connection.execute(wanted))
        for row in rows:
            connection.execute(_change(row).values(next_try=now() + LEASE))
    return rows


async def _new_column(
    store: Store, services: Services, platform: LtiPlatform, rows: list[Row[Any]]
) -> str:
    """Make a column where the platform has none for a link, and return its address."""
    link, most = rows[0], max(json.loads(row.score).get("scoreMaximum", 0) for row in rows)
    if not most:
        raise PlatformFault("The platform has no column for it yet, and nothing is graded.")
    said = {
        "label": link.assignment,
        "scoreMaximum": most,
        "resourceId": link.assignment,
        "resourceLinkId": link.link_id,
    }
    line_item = await services.make_line_item(platform, link.line_items, said)
    store.write(LINKS.update().where(LINKS.c.number == link.link).values(line_item=line_item))
    return line_item


def _arrived(store: Store, row: Row[Any], error: PlatformFault | None = None) -> bool:
    """Note whether a score has arrived, and tell so; one that came meanwhile is owed."""
    said: dict[str, Any] = {"delivered": True, "failures": 0, "problem": ""}
    if error:
        wait = min(FIRST_WAIT * 2**row.failures, LONGEST_WAIT)
        said = {"failures": row.failures + 1, "problem": str(error), "next_try": now() + wait}
    store.write(_change(row).where(SCORES.c.score == row.score).values(said))
    return error is None


def _change(row: Row[Any]) -> sa.Update:
    return SCORES.update().where(SCORES.c.link == row.link, SCORES.c.student == row.student)


def problems(store: Store) -> list[str]:
    """Return what couldn't be delivered, a sentence each."""
    wanted = (
        select(SCORES, LINKS.c.assignment)
        .select_from(SCORES.join(LINKS, LINKS.c.number == SCORES.c.link))
        .where(SCORES.c.delivered == sa.false(), SCORES.c.problem != "")
        .order_by(LINKS.c.assignment, SCORES.c.student)
    )
    rows = store.rows(wanted)
    return [f"Not given: {row.student}, {row.assignment}: {row.problem}" for row in rows]


def try_all_again(store: Store) -> None:
    """Have all be due that isn't delivered, whatever happened to it before."""
    again = SCORES.update().where(SCORES.c.delivered == sa.false())
    store.write(again.values(failures=0, next_try=now()))
