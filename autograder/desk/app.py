"""Which address shows what; the pages with all questions, and with one notebook."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from urllib.parse import parse_qs, quote, unquote

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from autograder.browsers import feedback_page, is_same, redirect, to_be_saved
from autograder.course import solution
from autograder.desk import appeals, questions
from autograder.desk.books import Books
from autograder.desk.questions import shows_of
from autograder.desk.request import TEMPLATES, PageRequest, grader_name
from autograder.errors import AutograderError, ChangedMeanwhile, DeskError, GraderFault, shown
from autograder.gradebook import feedback, giving, second_readings
from autograder.gradebook.database import explaining_errors
from autograder.gradebook.second_readings import Agreement
from autograder.intake.notebook import read_file
from autograder.telling.pages.looks import style_of

MAX_FORM = 1 << 20  # bytes: some thousand answers that are graded at once
MAX_GRADERS = 50
MAX_ONE_IN = 1000
_STYLE, _SCRIPT = TEMPLATES / "desk.css", "text/javascript"
_GRADER = "desk_grader"  # the cookie with the grader's name
_STATUSES = ((ChangedMeanwhile, 409), (DeskError, 422), (GraderFault, 503), (AutograderError, 404))


def app(books: Books, csrf: str, grader: str) -> Starlette:
    """Return the application; a form counts only with the secret `csrf`, which every page holds."""
    page = partial(_route, books, csrf, grader)
    question = "/question/{assignment}/{question}"
    submission = "/appeals/{assignment}/{notebook}"
    routes = [
        page("/", _overview),
        page("/share/{assignment}/{question}", _share, "POST"),
        page(question, questions.show_question),
        page(question, questions.save_grade, "POST"),
        page(f"{question}/undo", questions.undo_grade, "POST"),
        page(f"{question}/rubric", questions.apply_rubric, "POST"),
        page("/appeals/{assignment}", appeals.students),
        page(submission, appeals.show_submission),
        page(submission, appeals.override, "POST"),
        page(f"{submission}/undo", appeals.undo_override, "POST"),
        page("/notebook/{assignment}/{notebook}", _notebook),
        page("/pdf/{assignment}/{notebook}/{hash}", _pdf),
        page("/grader", _change_grader, "POST"),
        Route("/desk.css", lambda request: Response(style_of(_STYLE), media_type="text/css")),
        Route("/desk.js", lambda _: FileResponse(TEMPLATES / "desk.js", media_type=_SCRIPT)),
    ]
    return Starlette(routes=routes, max_body_size=MAX_FORM)


def _route(
    books: Books,
    csrf: str,
    grader: str,
    path: str,
    show: Callable[[PageRequest], Response],
    method: str = "GET",
) -> Route:
    def answer(request: Request, body: bytes) -> Response:
        name = unquote(request.cookies.get(_GRADER, "")) or grader
        asked = PageRequest(books, name, csrf, request.path_params, request.query_params)
        try:
            with explaining_errors():
                if method == "POST":
                    asked = _with_form(asked, body)
                return show(asked)
        except AutograderError as error:
            status = next(number for kind, number in _STATUSES if isinstance(error, kind))
            return asked.page("error.html", {"sentence": str(error)}, status)

    async def endpoint(request: Request) -> Response:
        return await run_in_threadpool(answer, request, await request.body())

    return Route(path, endpoint, methods=[method])


def _with_form(request: PageRequest, body: bytes) -> PageRequest:
    """Return the request with its form, which must be one of our own."""
    try:
        form = parse_qs(body.decode(), keep_blank_values=True, errors="strict")
    except ValueError:
        raise DeskError("This form can't be read: open the page again.") from None
    if not is_same((form.get("csrf") or [""])[-1], request.csrf):
        raise DeskError("This page comes from an earlier desk: reload it; nothing was saved.")
    return replace(request, form=form)


def _overview(request: PageRequest) -> Response:
    assignments: dict[str, list[dict[str, object]]] = {}
    for name in request.books.course.released():
        with request.books.engine.connect() as connection:
            found = request.books.marks(connection, name)
            shares = giving.shares(connection, name)
            twice = second_readings.read_twice(connection, name)
            keys = {each.key: each.name for marks in found for each in marks.each}
            readings = second_readings.readings_of(connection, list(keys))
        assignments[name] = []
        for question in solution.questions(request.books.course, name).values():
            answers = [mark for marks in found if (mark := marks[question.name])]
            read = [each for each in readings if keys[each.grade] == question.name]
            now, one_in = second_readings.present(read, answers), twice.get(question.name)
            progress = {
                "question": question,
                "graders": shares.get(question.name, ()),
                "counts": Counter(
                    show
                    for m in answers
                    for show in shows_of(m, question, one_in, now.get(m.key), request.grader)
                ),
                "one_in": one_in,
                "agreement": Agreement.of(read),
            }
            assignments[name].append(progress)
    said = {"section": request.books.section.name, "min_pairs": second_readings.MIN_PAIRS}
    return request.page("overview.html", {"assignments": assignments} | said)


def _change_grader(request: PageRequest) -> Response:
    response, name = redirect("/"), quote(grader_name(request.one("grader")))
    response.set_cookie(_GRADER, name, httponly=True, samesite="strict")
    return response


def _share(request: PageRequest) -> Response:
    names = [grader_name(name) for name in request.one("graders").split(",") if name.strip()]
    unique = list(dict.fromkeys(names))[:MAX_GRADERS]
    one_in = request.one("one_in")
    # As a float: `int` refuses thousands of digits with an error of its own.
    if one_in and not (one_in.isdecimal() and 0 < float(one_in) <= MAX_ONE_IN):
        raise DeskError(
            f"One in '{shown(one_in[:20])}' answers can't be read twice: give a whole number, 1 "
            "for all of them, or nothing."
        )
    question = request.question.name
    giving.share(request.books.engine, request.assignment, question, unique, int(one_in or 0))
    return redirect("/")


def _notebook(request: PageRequest) -> Response:
    """Return the page that feedback makes of a notebook, without the student's id unless asked."""
    course, marks = request.books.course, appeals.marks_of(request)
    with request.books.engine.connect() as connection:
        marks = second_readings.without_unread(connection, marks, request.grader)
    summary = feedback.summary_for(course, marks)
    if request.query.get("names") != "1":
        summary = replace(summary, student="A student")
    path = course.graded_path(marks.student, marks.assignment)
    page = request.books.reader.page(path, summary)
    return feedback_page(page)


def _pdf(request: PageRequest) -> Response:
    marks, found = appeals.marks_of(request), request.path["hash"]
    notebook = request.books.course.graded_path(marks.student, marks.assignment)
    try:
        name = request.books.reader.pdfs(notebook)[found]
        raw = read_file(notebook.parent / name, below=notebook.parent)
    except (KeyError, OSError):
        raise DeskError("This PDF isn't there any more: open the answer again.") from None
    return to_be_saved(raw, f"answer-{found[:8]}.pdf")
