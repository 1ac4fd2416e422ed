"""Settle due dates, extensions and late penalties, whatever changed last.

A penalty depends on the score, and so on what a person gives later. It is settled whenever grades
are recorded and whenever they are read, so that the order of these actions doesn't matter. Slip
days are given out anew each time.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache, partial
from typing import Any

from sqlalchemy import Connection, Engine, Row, Select, select

from autograder.course import Course
from autograder.course.settings import LatePolicy
from autograder.gradebook import configuration, database
from autograder.gradebook.settling import settle_decisions
from autograder.gradebook.tables import (
    ASSIGNMENT,
    GRADED_SCORE,
    NOTEBOOK,
    SUBMISSION,
    SUBMITTED,
)
from autograder.intake.times import handed_in_at

_DAY = 86_400  # seconds


def due_in_utc(course: Course, assignment: str, student: str | None = None) -> datetime | None:
    """Return when `assignment` is due by `course.toml`, as nbgrader stores it: in UTC, naive."""
    due = course.settings.due(assignment, student)
    return due and database.in_utc(due)


def handed_in_utc(course: Course, student: str, assignment: str) -> datetime | None:
    """Return when a submission was handed in, if anything says so, as nbgrader stores it."""
    folder = course.submission_path(student, assignment).parent
    time = handed_in_at(folder, course.settings.time_zone)
    return time and database.in_utc(time)


def late_penalty(policy: LatePolicy, score: float, seconds_late: float) -> float:
    """Return the points that being late costs: a share of `score` a day, up to a largest share."""
    return score * min(policy.at_most, policy.per_day * days_late(policy, seconds_late))


def days_late(policy: LatePolicy | None, seconds_late: float) -> int:
    """Return the days that count: each that is begun, after the grace."""
    grace = policy.grace_minutes if policy else 0
    return max(0, int(-(-(seconds_late - 60 * grace) // _DAY)))


@dataclass(frozen=True)
class Lateness:
    """How late a submission is, and what that costs; times are as nbgrader stores them.

    `penalty` is None for what is in time, and where nothing says what lateness costs.
    """

    assignment: str
    student: str
    score: float  # before the penalty
    handed_in: datetime | None
    due: datetime | None
    extension: timedelta | None = None
    days: int = 0
    slip: int = 0  # the days of these that cost nothing
    penalty: float | None = None

    @property
    def seconds(self) -> float:
        """How late it is; 0 if it isn't, or if nobody knows."""
        if self.handed_in is None or self.due is None:
            return 0.0
        return max(0.0, (self.handed_in - self.due).total_seconds())


_Penalty = Callable[[Lateness, int], float | None]  # by the slip days that are used


def settle(
    course: Course, engine: Engine, assignment: str | None = None, student: str | None = None
) -> list[Lateness]:
    """Make decisions and lateness what they come to now: everywhere, if nothing is named.

    A penalty is as `course.toml` says, or else as nbgrader's own settings do.
    """
    database.make_tables(engine)
    if course.settings.slip_days:  # a score decides where they go, and so on other penalties
        assignment = None
    with database.writing(engine) as connection:
        dates = select(ASSIGNMENT.c.name, ASSIGNMENT.c.duedate).order_by(ASSIGNMENT.c.name)
        found: list[tuple[Row[Any], Lateness]] = []
        for name, due in connection.execute(dates).all():
            if assignment in (None, name):
                found += _read(connection, course, name, due, student)
        settled = _with_penalties(course, [each for _, each in found])
        for (row, _), each in zip(found, settled, strict=True):
            if each.extension != row.extension:
                change = SUBMISSION.update().where(SUBMISSION.c.id == row.submission)
                connection.execute(change.values(extension=each.extension))
            if each.penalty != row.penalty:
                change = NOTEBOOK.update().where(NOTEBOOK.c.id == row.notebook)
                connection.execute(change.values(late_submission_penalty=each.penalty))
    return settled


def _read(
    connection: Connection,
    course: Course,
    assignment: str,
    in_gradebook: datetime | None,
    student: str | None,
) -> Iterator[tuple[Row[Any], Lateness]]:
    """Yield the submissions, locked, with how late they are."""
    due, policy = due_in_utc(course, assignment), course.settings.late_policy(assignment)
    if due is not None and due != in_gradebook:
        change = ASSIGNMENT.update().where(ASSIGNMENT.c.name == assignment)
        connection.execute(change.values(duedate=due))
    found, until = _submissions(assignment, student), due or in_gradebook
    # Locked first, in the order of the recorder: scores that are read then are the newest.
    keys = found.with_only_columns(SUBMISSION.c.id).order_by(SUBMISSION.c.id)
    connection.execute(keys.with_for_update(of=(SUBMISSION, NOTEBOOK)))
    settle_decisions(connection, course, assignment, student)  # a penalty is a share of the rest
    for row in connection.execute(found).all():
        own = due_in_utc(course, assignment, row.student)
        # If `course.toml` sets the due date, it decides; otherwise the gradebook's stands.
        extension = row.extension if due is None or own is None else (own - due) or None
        mine = until and until + (extension or timedelta())
        late = Lateness(assignment, row.student, row.score, row.timestamp, mine, extension)
        yield row, replace(late, days=days_late(policy, late.seconds))


def _with_penalties(course: Course, found: Sequence[Lateness]) -> list[Lateness]:
    """Return what lateness costs, slip days used where they gain a student the most points."""
    penalties = {name: _penalty_of(course, name) for name in {each.assignment for each in found}}
    late: dict[str, list[Lateness]] = defaultdict(list)  # by student
    for each in found:
        if each.days:
            late[each.student].append(each)
    days = course.settings.slip_days
    slips = (e for mine in late.values() for e in _slips(course, mine, penalties)) if days else ()
    used = {(each.student, each.assignment): each.slip for each in slips}
    settled = (replace(e, slip=used.get((e.student, e.assignment), 0)) for e in found)
    return [replace(e, penalty=penalties[e.assignment](e, e.slip)) for e in settled]


def _slips(
    course: Course, late: list[Lateness], penalties: Mapping[str, _Penalty]
) -> Iterator[Lateness]:
    """Yield a student's late submissions with their slip days: as they chose, or as gains most."""
    chosen, open_ = [], []
    for each in sorted(late, key=lambda each: (each.due or datetime.max, each.assignment)):
        days = course.settings.assignment(each.assignment).slip.get(each.student)
        if days is None:
            open_.append(each)
        else:
            chosen.append(replace(each, slip=min(days, each.days)))
    left = course.settings.slip_days - sum(each.slip for each in chosen)
    gains = []
    for each in open_:
        costs = [penalties[each.assignment](each, n) or 0 for n in range(min(left, each.days) + 1)]
        gains.append([costs[0] - cost for cost in costs])
    yield from chosen
    for each, slip in zip(open_, shared_out(gains, left), strict=True):
        yield replace(each, slip=slip)


def shared_out(gains: Sequence[Sequence[float]], days: int) -> tuple[int, ...]:
    """Return how many of `days` to use on each assignment, of which `gains` says what they gain.

    The most points decide; then the fewest days; then more of them on the earlier assignment.
    """
    # The best from an assignment on, by the days that are left: points, days, and where they go.
    best: list[tuple[int, int, tuple[int, ...]]] = [(0, 0, ())] * (days + 1)
    for gain in reversed(gains):
        points = [round(each * 1_000_000) for each in gain]  # sums of these are exact
        best = [
            max(
                (points[n] + rest[0], rest[1] - n, (n, *rest[2]))
                for n in range(min(left, len(points) - 1) + 1)
                if (rest := best[left - n])
            )
            for left in range(days + 1)
        ]
    return best[days][2]


def _penalty_of(course: Course, assignment: str) -> _Penalty:
    """Return what a submission loses by being late if so many slip days are used on it."""
    policy = course.settings.late_policy(assignment)
    plugin = cache(partial(_plugin, course, assignment))

    def penalty(late: Lateness, slip: int) -> float | None:
        seconds = late.seconds - slip * _DAY
        if seconds <= 0:
            return None if late.seconds <= 0 else 0.0
        if policy:
            lost = late_penalty(policy, late.score, seconds)
        else:
            lost = plugin().late_submission_penalty(late.student, late.score, seconds)
        return None if lost is None else min(max(0.0, lost), late.score)

    return penalty


def read_lateness(course: Course) -> list[Lateness]:
    """Return how late every recorded submission is, and what that costs."""
    with database.gradebook_of(course) as engine:
        return settle(course, engine) if engine else []


def _plugin(course: Course, assignment: str) -> Any:
    # here: importing nbgrader takes seconds, and most often nothing is late
    from nbgrader.preprocessors import AssignLatePenalties

    step = AssignLatePenalties(config=configuration.load_settings(course))
    step.assignment_id = assignment
    step.init_plugin()
    return step.plugin_inst


def _submissions(assignment: str, student: str | None) -> Select[Any]:
    columns = (
        SUBMISSION.c.id.label("submission"),
        SUBMISSION.c.student_id.label("student"),
        SUBMISSION.c.timestamp,
        SUBMISSION.c.extension,
        NOTEBOOK.c.id.label("notebook"),
        NOTEBOOK.c.late_submission_penalty.label("penalty"),
        GRADED_SCORE.label("score"),
    )
    found = select(*columns).select_from(SUBMITTED).where(ASSIGNMENT.c.name == assignment)
    return found if student is None else found.where(SUBMISSION.c.student_id == student)
