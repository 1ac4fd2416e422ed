"""The pages of instructors and teaching assistants, who see the students of their sections."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any

import tomlkit
from pydantic import TypeAdapter
from sqlalchemy import Row, select
from starlette.exceptions import HTTPException
from starlette.responses import Response

from autograder.browsers import address, feedback_page, redirect
from autograder.course import settings
from autograder.course.locking import course_lock
from autograder.course.roster import problem_with
from autograder.course.saving import save_whole
from autograder.errors import CourseError
from autograder.gradebook.database import now
from autograder.gradebook.deciding import decide, list_decisions, restore
from autograder.gradebook.decisions import Decision, Kind, Wish
from autograder.gradebook.giving import Award, give, points_in
from autograder.gradebook.lateness import settle
from autograder.gradebook.marks import read_marks
from autograder.grading.submissions import load_report
from autograder.platforms.exporting import points_table
from autograder.platforms.points import Choices
from autograder.serve.student import Homework, homework
from autograder.serve.tables import APPEALS, AUDIT, TryState
from autograder.serve.tries import Try, counting
from autograder.serve.visit import Visit
from autograder.statistics.class_report import class_page, content_of, reports_on
from autograder.statistics.mistakes import SharedMistake, shared_mistakes

MAX_MISTAKES = 10  # that are shown
MAX_LOGGED = 500  # lines of the audit log on its page
MAX_ANSWER = 2000  # characters


@dataclass(frozen=True)
class StudentTries:
    """What a student handed in for an assignment, the oldest first."""

    student: str
    name: str
    tries: Sequence[Try]
    counts: Try | None

    @property
    def last(self) -> Try:
        return self.tries[-1]


@dataclass(frozen=True)
class Glance:
    """An assignment, as a class stands with it."""

    assignment: str
    due: datetime | None
    students: Sequence[StudentTries]  # who handed in
    of: int  # by the roster

    @property
    def median(self) -> float | None:
        scores = [s.counts.score or 0 for s in self.students if s.counts]
        return statistics.median(scores) if scores else None

    @property
    def most(self) -> float | None:
        return next((s.counts.max_score for s in self.students if s.counts), None)

    @property
    def troubles(self) -> list[Try]:
        """The tries on which the grader failed, or that weren't recorded."""
        tries = chain.from_iterable(each.tries for each in self.students)
        return [t for t in tries if t.state is TryState.FAILED or (t.said and t.is_graded)]


def _names(visit: Visit) -> dict[str, str]:
    return {p.student_id: p.name for p in visit.course.people if visit.sees(p.student_id)}


def _glance(visit: Visit, assignment: str, names: Mapping[str, str]) -> Glance:
    policy = visit.course.settings.serve.counts
    students = [
        StudentTries(student, names.get(student, ""), tries, counting(tries, policy))
        for student, tries in visit.tries.by_student(assignment).items()
        if visit.sees(student)
    ]
    return Glance(assignment, visit.course.settings.due(assignment), students, len(names))


def glance(visit: Visit) -> Response:
    names = _names(visit)
    visit.note("looked at the class")
    said = {
        "found": [_glance(visit, name, names) for name in visit.course.released()],
        "waiting": visit.house.line.standings(),
        "appeals": _appeals(visit),
    }
    return visit.page("class.html", said)


def on_assignment(visit: Visit) -> Response:
    name = visit.assignment
    found = _glance(visit, name, _names(visit))
    visit.note(f"looked at the class in {name}")
    said = {
        "found": found,
        "mistakes": _mistakes(visit, found),
        "standings": visit.house.line.standings(),
        "withheld": _withheld(visit, name),
    }
    return visit.page("class_assignment.html", said)


def _mistakes(visit: Visit, found: Glance) -> list[SharedMistake]:
    loaded = (load_report(visit.course, s.student, found.assignment) for s in found.students)
    reports = [report for report in loaded if report]
    grouped = shared_mistakes(visit.course, found.assignment, reports)
    each = sorted(chain.from_iterable(grouped.values()), key=lambda m: -len(m.students))
    return each[:MAX_MISTAKES]


def history(visit: Visit, error: str = "") -> Response:
    student = _student(visit)
    visit.note("looked at all tries", student)
    found: list[Homework] = [homework(visit, name, student) for name in visit.course.released()]
    said = {"student": student, "found": found, "error": error, "appeals": _appeals(visit, student)}
    return visit.page("student.html", said, 422 if error else 200)


def _student(visit: Visit) -> str:
    student = str(visit.request.path_params["student"])
    known = {*_names(visit)} | {p.name for p in visit.course.submitted.glob("*/")}
    if problem_with(student) or student not in known or not visit.sees(student):
        raise HTTPException(404, "There is no such student: go back to the class.")
    return student


def grade_again(visit: Visit) -> Response:
    found = visit.found
    if found.state in (TryState.WAITING, TryState.REPLACED):
        raise CourseError("This try waits already, or a newer one does in its place.")
    visit.tries.update(found.number, state=TryState.WAITING, said="")
    visit.note(f"had try {found.number} graded again", found.student)
    return redirect(address("try", found.number))


def extend(visit: Visit) -> Response:
    """Give a student a due date of their own, in `course.toml`."""
    student, name, text = _student(visit), visit.assignment, visit.text("until")
    try:
        until = TypeAdapter(settings.When).validate_python(datetime.fromisoformat(text))
    except ValueError:  # it is none, or the settings take none like it
        return history(visit, "Give the date and the time of the new due date.")
    if visit.course.settings.due(name) is None:
        return history(visit, f"{name} has no due date that could be extended.")
    path = visit.course.root / settings.FILE
    with course_lock(visit.course, "settings", f"somebody else is changing {path.name}"):
        said = tomlkit.parse(path.read_text("utf-8"))
        said["assignments"][name].setdefault("extensions", tomlkit.inline_table())[student] = until
        save_whole(tomlkit.dumps(said).encode(), path)
    read_marks(visit.course, [name])  # settles what lateness costs
    visit.note(f"extended {name} to {text}", student)
    return redirect(address("student", student))


def answer(visit: Visit) -> Response:
    """Answer an appeal, and give other points if the form has any: the answer says why."""
    wanted = APPEALS.c.id == visit.number
    found = next(iter(visit.house.store.rows(select(APPEALS).where(wanted))), None)
    if found is None or not visit.sees(found.student):
        raise HTTPException(404, "There is no such appeal: go back to the class.")
    text = visit.text("answer", MAX_ANSWER)
    if not text:
        raise CourseError("Write an answer: the student reads it.")
    if points := visit.text("points"):
        _give(visit, found, points, text)
    said = {"answered": now(), "answer": text, "by": visit.who.person}
    visit.house.store.write(APPEALS.update().where(wanted).values(said))
    visit.note(f"answered the appeal against {found.exercise}", found.student)
    return redirect(address("try", found.number))


def _give(visit: Visit, appeal: Row[Any], points: str, reason: str) -> None:
    """Give what an appeal is about other points, unless its marks were changed meanwhile."""
    marks = visit.house.telling.marks(appeal.student, appeal.assignment)
    mark = marks[appeal.exercise] if marks else None
    counts = visit.tries.counting(appeal.student, appeal.assignment)
    if mark is None or counts is None or counts.number != appeal.number:
        raise CourseError("Another try counts, or none is recorded yet: answer without points.")
    award = Award(visit.who.person, points_in(points, mark.max_score), reason)
    engine = visit.house.telling.gradebook
    give(engine, award, {mark.key: visit.text("seen")})
    settle(visit.course, engine, appeal.assignment, appeal.student)
    visit.note(f"gave {points} points for {appeal.exercise}", appeal.student)


def withhold(visit: Visit) -> Response:
    name, student = visit.assignment, visit.text("student")
    wish = Wish(Kind.WITHHOLD, name, student=student)
    decide(visit.course, wish, visit.text("reason"), visit.who.person)
    visit.note(f"withheld the marks of {name}", student)
    return redirect(address("class", name))


def give_out(visit: Visit) -> Response:
    name = visit.assignment
    if not any(each.number == visit.number for each in _withheld(visit, name)):
        raise HTTPException(404, "Nothing of that number is withheld: go back to the class.")
    decision = restore(visit.course, visit.number, visit.who.person)
    visit.note(f"gave out the marks of {name}", decision.student)
    return redirect(address("class", name))


def _withheld(visit: Visit, assignment: str) -> list[Decision]:
    found = list_decisions(visit.course, [assignment])
    return [each for each in found if each.kind is Kind.WITHHOLD and each.holds]


def report(visit: Visit) -> Response:
    """Show what the class understood, as `autograder report` writes it."""
    name = visit.assignment
    reports = reports_on(visit.course, name)
    if not reports:
        raise CourseError(f"Nothing on {name} is graded yet: come back when something is.")
    visit.note(f"read the report on {name}")
    page = class_page(visit.course, content_of(visit.course, name, reports))
    return feedback_page(page)


def table(visit: Visit) -> Response:
    """Return the points of the whole class as a table: what `autograder export --to csv` writes."""
    visit.note("took the table of points")
    raw, _ = points_table(visit.course, "csv", (), Choices())
    headers = {"Content-Disposition": 'attachment; filename="grades.csv"'}
    return Response(raw, media_type="text/csv", headers=headers)


def _appeals(visit: Visit, student: str | None = None) -> list[Row[Any]]:
    """Return the appeals that wait for an answer."""
    wanted = select(APPEALS).where(APPEALS.c.answered.is_(None)).order_by(APPEALS.c.id)
    rows = visit.house.store.rows(wanted)
    return [r for r in rows if visit.sees(r.student) and student in (None, r.student)]


def log(visit: Visit) -> Response:
    wanted = select(AUDIT).order_by(AUDIT.c.number.desc()).limit(MAX_LOGGED)
    return visit.page("log.html", {"rows": visit.house.store.rows(wanted)})
