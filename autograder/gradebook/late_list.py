"""Who is late, with what, and what it costs: as lines for a terminal, and as a table."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from textwrap import wrap
from zoneinfo import ZoneInfo

from autograder.course import Course
from autograder.course.roster import Section
from autograder.course.sheets import table_bytes
from autograder.errors import counted, in_digits, shown
from autograder.gradebook.lateness import Lateness
from autograder.intake.times import is_flagged_late

WIDTH = 80
_Late = Mapping[str, Sequence[Lateness]]  # by student, all that each handed in


def by_student(found: Sequence[Lateness], students: Section) -> dict[str, list[Lateness]]:
    """Return the submissions of each of these `students`, in order of the due date."""
    grouped: dict[str, list[Lateness]] = defaultdict(list)
    for each in sorted(found, key=lambda e: (e.student, e.due or datetime.max, e.assignment)):
        if each.student in students:
            grouped[each.student].append(each)
    return grouped


def late_lines(course: Course, found: _Late, assignments: Collection[str]) -> Iterator[str]:
    """Yield what is late of `assignments`, and why it costs what it costs, student by student."""
    on_time = timeless = listed = 0
    for student, each in found.items():
        mine = [late for late in each if late.assignment in assignments]
        flagged = [late for late in mine if _is_flagged(course, late)]
        timeless += sum(late.handed_in is None for late in mine) - len(flagged)
        for late in flagged:
            name, folder = shown(student), f"{course.submitted.name}/{shown(student)}"
            said = (
                f"{name}: {late.assignment} is late by the platform's flag, and costs nothing, "
                "because nobody knows by how much. Write when it came into "
                f"{folder}/{late.assignment}/timestamp.txt, and grade again"
            )
            yield from wrap(said, WIDTH, break_long_words=False, break_on_hyphens=False)
        if not (late_ones := [late for late in mine if late.days]):
            on_time += not flagged
            continue
        listed += 1
        whole, lost = sum(e.score for e in mine), sum(e.penalty or 0 for e in mine)
        sums = f"{in_digits(whole)} - {in_digits(lost)} = {in_digits(whole - lost)} points"
        yield from wrap(f"{shown(student)}: {sums}{_left(course, each)}", WIDTH)
        for late in late_ones:
            why = _why(course, late)
            yield from wrap(why, WIDTH, initial_indent="  ", subsequent_indent="    ")
    if listed:
        yield f"Times are in the time zone {course.settings.time_zone}."
    yield f"{counted(on_time, 'student')} without anything late"
    if timeless:
        submissions, it = (
            ("submission counts", "it") if timeless == 1 else ("submissions count", "they")
        )
        yield f"{timeless} {submissions} as in time: when graded, {it} had no timestamp.txt"


def _is_flagged(course: Course, late: Lateness) -> bool:
    """Tell whether the platform alone says that it is late, and not by how much."""
    folder = course.submission_path(late.student, late.assignment).parent
    return late.handed_in is None and is_flagged_late(folder)


def _left(course: Course, each: Sequence[Lateness]) -> str:
    days = course.settings.slip_days
    used = sum(late.slip for late in each)
    return f"; {days - used} of {days} slip days left" if days else ""


def _why(course: Course, late: Lateness) -> str:
    slip = f", {late.slip} by slip days" if late.slip else ""
    due = f"due {_local(course, late.due)}{' by extension' if late.extension else ''}"
    lost = f"{in_digits(late.score)} - {in_digits(late.penalty or 0)} points"
    handed_in = f"handed in {_local(course, late.handed_in)}"
    return f"{late.assignment}: {lost}: {counted(late.days, 'day')} late{slip}; {due}, {handed_in}"


def _local(course: Course, time: datetime | None) -> str:
    zone = ZoneInfo(course.settings.time_zone)
    return f"{time.replace(tzinfo=UTC).astimezone(zone):%Y-%m-%d %H:%M}" if time else ""


def late_table(course: Course, found: _Late, assignments: Collection[str]) -> bytes:
    """Return all submissions to `assignments` as CSV, also those that are in time."""
    columns = (
        *("student_id", "assignment", "points before", "penalty", "points", "handed in", "due"),
        *("extension", "days late", "slip days", "slip days left", "flagged late"),
    )
    rows = []
    for student, each in found.items():
        left = course.settings.slip_days - sum(late.slip for late in each)
        for late in (late for late in each if late.assignment in assignments):
            lost = late.penalty or 0
            points = late.score, lost, late.score - lost
            times = _local(course, late.handed_in), _local(course, late.due)
            days = "yes" if late.extension else "", late.days, late.slip, left
            flagged = "yes" if _is_flagged(course, late) else ""
            rows.append((student, late.assignment, *points, *times, *days, flagged))
    return table_bytes(columns, rows)
