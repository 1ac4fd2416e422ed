"""Appeals: a submission's exercises with their verdicts, and overrides with a reason.

An override is what a person gave: it holds for the answer that it was given for, however often that
is graded again. The reason is the comment that the student reads on the exercise's card.
"""

from collections.abc import Sequence

from starlette.responses import Response

from autograder.browsers import address, redirect
from autograder.course.solution import questions
from autograder.desk.request import PageRequest
from autograder.errors import ChangedMeanwhile, DeskError, in_digits
from autograder.gradebook import giving, second_readings
from autograder.gradebook.giving import Award
from autograder.gradebook.marks import Mark, Marks
from autograder.grading.submissions import load_report
from autograder.telling.record import card_of

MAX_LISTED = 200  # students at once: others are found by their id


def students(request: PageRequest) -> Response:
    wanted = request.query.get("find", "").strip()
    with request.books.engine.connect() as connection:
        found = request.books.marks(connection, request.assignment)
    named = [each for each in found if wanted.casefold() in each.student.casefold()]
    said = {
        "assignment": request.assignment,
        "find": wanted,
        "students": [(each, each.each[0].notebook) for each in named[:MAX_LISTED]],
        "left": max(0, len(named) - MAX_LISTED),
        "total": len(found),
    }
    return request.page("students.html", said)


def override(request: PageRequest) -> Response:
    name = request.one("name")
    request.books.check(request.seen)
    try:
        award = _award(request, name)
        action = giving.give(request.books.engine, award, request.seen)
    except DeskError as error:
        status = 409 if isinstance(error, ChangedMeanwhile) else 422
        typed = {"points": request.one("points"), "reason": request.one("comment")}
        return show_submission(request, status, error=str(error), about=name, typed=typed)
    return redirect(f"{_settled(request, saved=action)}#{name}")


def undo_override(request: PageRequest) -> Response:
    action = request.one("action")
    request.books.check(giving.changed_by(request.books.engine, action))
    giving.undo(request.books.engine, action)
    return redirect(_settled(request))


def _award(request: PageRequest, name: str) -> Award:
    if request.one("withdraw"):
        return Award(request.grader, None)
    found = marks_of(request)[name]
    if found is None or found.key not in request.seen:
        raise DeskError("This exercise isn't in the gradebook any more: open the page again.")
    points, reason = request.points(found.max_score), request.comment
    if points is None:
        raise DeskError(
            f"{name} got no points: say how many of {in_digits(found.max_score)} it gets."
        )
    if not reason:
        raise DeskError(f"Say why {name} gets other points: the student reads it.")
    return Award(request.grader, points, reason)


def marks_of(request: PageRequest) -> Marks:
    """Return what the gradebook holds for the submission; raise `DeskError` if nothing."""
    with request.books.engine.connect() as connection:
        notebook = request.path["notebook"]
        found = request.books.marks(connection, request.assignment, notebook=notebook)
    if not found:
        raise DeskError("There is no such submission in the gradebook: go back to the students.")
    return found[0]


def _settled(request: PageRequest, **query: str) -> str:
    """Make the late penalty follow what was given; return where to look at it."""
    request.books.settle(request.assignment, {marks_of(request).student})
    return address("appeals", request.assignment, request.path["notebook"], **query)


def show_submission(request: PageRequest, status: int = 200, **news: object) -> Response:
    """Return the page on one submission; `news` is what became of the form."""
    with request.books.engine.connect() as connection:
        marks = second_readings.without_unread(connection, marks_of(request), request.grader)
    written = questions(request.books.course, request.assignment)
    said = {
        "assignment": request.assignment,
        "notebook": request.path["notebook"],
        "student": marks.student,
        "exercises": _exercises(request, [each for each in marks.each if each.name not in written]),
        "written": [each for each in marks.each if each.name in written],
    }
    nothing = {"saved": request.query.get("saved", ""), "error": "", "about": "", "typed": {}}
    return request.page("appeal.html", said | nothing | news, status)


def _exercises(request: PageRequest, found: Sequence[Mark]) -> list[dict[str, object]]:
    """Return what is held, what feedback tells, and the student's code, as the report orders it."""
    if not found:
        return []
    student, reader = found[0].student, request.books.reader
    report = load_report(request.books.course, student, request.assignment)
    code = reader.sources(request.books.course.graded_path(student, request.assignment))
    reports = {each.name: each for each in report.exercises} if report else {}
    order = {name: place for place, name in enumerate(reports)}
    cards = {name: card_of(each) for name, each in reports.items()}
    in_order = sorted(found, key=lambda each: (order.get(each.name, len(order)), each.name))
    return [
        {
            "held": m,
            "card": cards.get(m.name),
            "code": reader.rendered("code", code.get(m.name, "")),
        }
        for m in in_order
    ]
