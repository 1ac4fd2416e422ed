"""The pages of students: their homework, what became of each try, and what they ask for."""

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import select
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import Response, StreamingResponse

from autograder.browsers import address, feedback_page, redirect, to_be_saved
from autograder.errors import SubmissionError
from autograder.gradebook.database import now
from autograder.gradebook.marks import Marks
from autograder.intake.release import Release
from autograder.serve import tokens
from autograder.serve.live import event
from autograder.serve.tables import APPEALS, TryState
from autograder.serve.told import ExerciseChange, changes, shows_points
from autograder.serve.tries import Try
from autograder.serve.visit import Visit
from autograder.telling.record import Summary

MAX_APPEAL = 2000  # characters
MAX_APPEALS = 20  # of one student that wait for an answer


@dataclass(frozen=True)
class Homework:
    """An assignment, as its student stands with it."""

    name: str
    due: datetime | None
    left: int | None  # tries today; None: no limit
    tries: list[Try]
    counts: Try | None
    marks: Marks | None
    shows_points: bool
    token_until: datetime | None  # when a notebook can't hand in for them any more

    @property
    def graded(self) -> list[Try]:
        return [each for each in self.tries if each.is_graded]

    @property
    def best(self) -> Try | None:
        return max(self.graded, key=lambda each: each.score or 0, default=None)

    @property
    def is_over(self) -> bool:
        return self.due is not None and self.due < datetime.now(UTC)


def homework(visit: Visit, name: str, who: str) -> Homework:
    marks = visit.house.telling.marks(who, name)
    return Homework(
        name=name,
        due=visit.course.settings.due(name, who),
        left=visit.tries.left_today(who, name),
        tries=visit.tries.of(who, name),
        counts=visit.tries.counting(who, name),
        marks=marks,
        shows_points=shows_points(visit.course, name, who, marks),
        token_until=tokens.until(visit.house.store, who),
    )


def assignments(visit: Visit) -> Response:
    found = [homework(visit, name, visit.who.person) for name in visit.course.released()]
    return visit.page("assignments.html", {"found": found})


def assignment(visit: Visit, error: str = "") -> Response:
    name = visit.assignment
    visit.tries.adopt(visit.who.person, name)
    said = {"homework": homework(visit, name, visit.who.person), "error": error}
    return visit.page("assignment.html", said, 422 if error else 200)


def hand_in(visit: Visit) -> Response:
    """Keep a notebook, and lead to the page that tells what becomes of it."""
    name, student = visit.assignment, visit.who.person
    upload = visit.form.get("notebook")
    if not isinstance(upload, UploadFile) or not upload.filename:
        return assignment(visit, "Choose the notebook that you saved, then hand it in.")
    try:
        found = visit.tries.keep(student, name, upload.file, "page")
    except SubmissionError as error:
        return assignment(visit, str(error))
    visit.note(f"handed in {name}, try {found.number}")
    return redirect(address("try", found.number))


def show_try(visit: Visit, error: str = "") -> Response:
    found = visit.found
    mine = visit.tries.of(found.student, found.assignment)
    release = Release.load(visit.course, found.assignment)
    earlier = [each for each in mine if each.number < found.number and each.is_graded]
    summary: Summary | None = None
    changed: list[ExerciseChange] = []
    if found.is_graded:
        summary = visit.house.telling.summary(found, early=visit.who.is_staff)
        if earlier:
            before = visit.house.telling.summary(earlier[0], early=visit.who.is_staff)
            changed = list(changes(before, summary))
    if visit.who.is_staff:
        visit.note(f"looked at try {found.number}", found.student)
    wanted = select(APPEALS).where(APPEALS.c.number == found.number).order_by(APPEALS.c.id)
    appeals = visit.house.store.rows(wanted)
    marks = visit.house.telling.marks(found.student, found.assignment) if appeals else None
    said = {
        "found": found,
        "standing": visit.house.line.standings().get(found.number),
        "summary": summary,
        "exercises": list(release.exercises),
        "answers": [*release.exercises, *release.written],
        "counts": visit.tries.counting(found.student, found.assignment),
        "before": earlier[0] if earlier else None,
        "changes": changed,
        "appeals": appeals,
        "marks": {each.name: each for each in marks.each} if marks else {},
        "error": error,
    }
    return visit.page("try.html", said, 422 if error else 200)


def follow(visit: Visit) -> Response:
    """Tell by events what becomes of a try, for as long as it waits."""
    found, board = visit.found, visit.house.board
    if found.state is not TryState.WAITING:  # nothing more will happen to it
        return Response(event("done", "{}"), media_type="text/event-stream")
    if not board.has_room(visit.who.person):
        raise HTTPException(429, "You watch enough pages: close one of them.")
    events = board.events(found.number, visit.who.person)
    headers = {"X-Accel-Buffering": "no"}  # nginx: each event at once
    return StreamingResponse(events, media_type="text/event-stream", headers=headers)


def feedback(visit: Visit) -> Response:
    found = visit.found
    if not found.is_graded:
        return redirect(address("try", found.number))
    summary = visit.house.telling.summary(found, early=visit.who.is_staff)
    page = visit.house.telling.page(found, summary)
    return feedback_page(page)


def notebook(visit: Visit) -> Response:
    found = visit.found
    name = f"{found.assignment}-{found.number}.ipynb"
    return to_be_saved(visit.tries.path(found).read_bytes(), name)


def choose(visit: Visit) -> Response:
    found = visit.found
    if visit.course.settings.serve.counts != "chosen" or not found.is_graded:
        return show_try(visit, "Which try counts isn't for you to choose here.")
    # to be recorded again, since another one counts now
    visit.tries.update(found.number, chosen=now(), state=TryState.GRADED)
    visit.note(f"chose try {found.number} of {found.assignment}")
    return redirect(address("homework", found.assignment))


def appeal(visit: Visit) -> Response:
    """Keep what a student says against a mark, for a person to answer."""
    found, text = visit.found, visit.text("text", MAX_APPEAL)
    exercise = visit.text("exercise")
    report = visit.tries.report(found)
    if report is None or exercise not in report.names or not text:
        return show_try(visit, "Say which exercise it is about, and why.")
    row = {"number": found.number, "student": found.student, "assignment": found.assignment}
    row |= {"exercise": exercise, "text": text, "at": now()}
    waiting = (APPEALS.c.student == found.student, APPEALS.c.answered.is_(None))
    with visit.house.store.writing() as connection:
        left = MAX_APPEALS - len(connection.execute(select(APPEALS.c.id).where(*waiting)).all())
        if left > 0:
            connection.execute(APPEALS.insert().values(row))
    if left <= 0:
        said = f"{MAX_APPEALS} of your appeals wait for an answer: appeal again once one is there."
        return show_try(visit, said)
    visit.note(f"appealed against {exercise} in try {found.number}")
    return redirect(address("try", found.number))
