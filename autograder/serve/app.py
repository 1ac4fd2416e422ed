"""Which address of the server shows what, and to which role: one table.

Besides our own pages there are doors (`doors.py`): ways to sign in that others provide, as LTI.
"""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from functools import partial

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from autograder.browsers import address_of, is_same
from autograder.errors import AutograderError, GraderFault
from autograder.gradebook.database import explaining_errors
from autograder.serve import entrance, notebook, people, staff, student, tokens
from autograder.serve.guard import MAX_FORM, MAX_UPLOAD, Guard, Limiter
from autograder.serve.people import Role, Session
from autograder.serve.visit import TEMPLATES, House, Visit, is_by_program
from autograder.telling.pages.looks import style_of

MAX_FIELDS = 20
_STYLE = TEMPLATES / "serve.css"
A_MINUTE = 120  # requests of one session
OF_AN_ADDRESS = 600  # of all at one address who aren't signed in: a class may share it

# What the framework says of a request, and what we say.
_UNREADABLE = "This form can't be read: open the page again, and send one file."
_NO_PAGE = "There is no such page: go back to the first one."
_SENTENCES = {404: _NO_PAGE, 405: _NO_PAGE, 400: _UNREADABLE}
_NO_SESSION = "You aren't signed in: open your link, or ask for another."
_ENDED = "This token is no longer valid: make another on the assignment's page."
Show = Callable[[Visit], Response]
Limits = tuple[Limiter, Limiter]  # of sessions, and of addresses without one

ANYBODY: Collection[Role] = ()  # signed in or not
SIGNED_IN = tuple(Role)
STUDENTS = (Role.STUDENT,)
STAFF = (Role.TA, Role.INSTRUCTOR)
INSTRUCTORS = (Role.INSTRUCTOR,)

# Of tries and students, somebody sees their own, or those of their sections: `Visit.sees`.
PAGES: Sequence[tuple[str, str, Show, Collection[Role]]] = (
    ("GET", "/", entrance.welcome, ANYBODY),
    ("GET", "/invite/{secret}", entrance.invited, ANYBODY),
    ("POST", "/invite/{secret}", entrance.enter, ANYBODY),
    ("POST", "/leave", entrance.leave, SIGNED_IN),
    ("POST", "/devices", entrance.another_device, SIGNED_IN),
    ("GET", "/homework", student.assignments, STUDENTS),
    ("GET", "/homework/{assignment}", student.assignment, STUDENTS),
    ("POST", "/homework/{assignment}", student.hand_in, STUDENTS),
    ("POST", "/homework/{assignment}/token", notebook.make_token, STUDENTS),
    ("POST", "/homework/{assignment}/token/end", notebook.end_token, STUDENTS),
    ("GET", "/try/{number:int}", student.show_try, SIGNED_IN),
    ("GET", "/try/{number:int}/live", student.follow, SIGNED_IN),
    ("GET", "/try/{number:int}/feedback", student.feedback, SIGNED_IN),
    ("GET", "/try/{number:int}/notebook", student.notebook, SIGNED_IN),
    ("POST", "/try/{number:int}/choose", student.choose, STUDENTS),
    ("POST", "/try/{number:int}/appeal", student.appeal, STUDENTS),
    ("POST", "/try/{number:int}/again", staff.grade_again, STAFF),
    ("GET", "/class", staff.glance, STAFF),
    ("GET", "/class/{assignment}", staff.on_assignment, STAFF),
    ("GET", "/class/{assignment}/report", staff.report, INSTRUCTORS),
    ("POST", "/class/{assignment}/withhold", staff.withhold, INSTRUCTORS),
    ("POST", "/class/{assignment}/give-out/{number:int}", staff.give_out, INSTRUCTORS),
    ("GET", "/points.csv", staff.table, INSTRUCTORS),
    ("GET", "/student/{student}", staff.history, STAFF),
    ("POST", "/student/{student}/extend/{assignment}", staff.extend, INSTRUCTORS),
    ("POST", "/appeal/{number:int}", staff.answer, STAFF),
    ("GET", "/log", staff.log, INSTRUCTORS),
    ("POST", "/api/homework/{assignment}", notebook.take_in, STUDENTS),
    ("GET", "/api/try/{number:int}", notebook.tell, STUDENTS),
)


def app(house: House) -> Starlette:
    answer = partial(_answer, house, (Limiter(A_MINUTE), Limiter(OF_AN_ADDRESS)))
    routes: list[BaseRoute] = [
        Route(path, answer(show, roles), methods=[method], max_body_size=most)
        for method, path, show, roles in PAGES
        for most in [MAX_UPLOAD if show in (student.hand_in, notebook.take_in) else MAX_FORM]
    ]
    routes += [
        Route("/serve.css", lambda _: Response(style_of(_STYLE), media_type="text/css")),
        Route("/handin.py", lambda _: PlainTextResponse(notebook.magic(house.store.site))),
        Route("/serve.js", lambda _: FileResponse(TEMPLATES / "serve.js")),
    ]
    routes += house.doors.routes
    made = Starlette(
        routes=routes,
        middleware=[Middleware(Guard, store=house.store)],
        exception_handlers={HTTPException: _sentence(house)},
    )
    made.state.store = house.store
    return made


def _answer(
    house: House, limits: Limits, show: Show, roles: Collection[Role]
) -> Callable[[Request], Awaitable[Response]]:
    def admitted(request: Request) -> Visit:
        try:
            with explaining_errors():
                visit = Visit(request, house, _session_of(request))
        except GraderFault as error:
            raise HTTPException(503, str(error)) from None
        _check(visit, limits, roles)
        return visit

    def shown(visit: Visit) -> Response:
        if roles and not is_by_program(visit.request):
            _check_form(visit)
        try:
            with explaining_errors():
                return show(visit)
        except AutograderError as error:
            status = 503 if isinstance(error, GraderFault) else 422
            return visit.sentence(str(error), status)

    async def endpoint(request: Request) -> Response:
        visit = await run_in_threadpool(admitted, request)  # before anything of a form is read
        if request.method != "POST":
            return await run_in_threadpool(shown, visit)
        async with request.form(max_files=1, max_fields=MAX_FIELDS, max_part_size=MAX_FORM) as form:
            return await run_in_threadpool(shown, replace(visit, form=dict(form)))

    return endpoint


def _session_of(request: Request) -> Session | None:
    """Return the person of a request, in their role; it is looked up once."""
    if not hasattr(request.state, "session"):
        request.state.session = None  # for the page that says that the database can't be asked
        way_in = tokens if is_by_program(request) else people
        request.state.session = way_in.session_of(request)
    found: Session | None = request.state.session
    return found


def _check(visit: Visit, limits: Limits, roles: Collection[Role]) -> None:
    """Raise `HTTPException` for people who ask too often, or aren't of these roles."""
    session = visit.session
    of_sessions, of_addresses = limits
    limiter = of_sessions if session else of_addresses
    if not limiter.allows(session.key if session else address_of(visit.request)):
        raise HTTPException(429, "You ask faster than anybody reads: try again in a minute.")
    if roles and session is None:
        raise HTTPException(401, _ENDED if is_by_program(visit.request) else _NO_SESSION)
    if roles and visit.who.role not in roles:
        raise HTTPException(403, "This page isn't for you: go back to the first one.")


def _check_form(visit: Visit) -> None:
    """Raise `HTTPException` for a form that no page of ours holds."""
    sent, expected = visit.text("csrf"), visit.session.csrf if visit.session else ""
    if visit.request.method == "POST" and not is_same(sent, expected):
        raise HTTPException(403, "This page is outdated: reload it, and try again.")


def _sentence(house: House) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def answer(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        session = await run_in_threadpool(_session_of, request)
        visit = Visit(request, house, session)
        is_ours = error.detail.endswith(".") and error.status_code != 400
        sentence = error.detail if is_ours else _SENTENCES.get(error.status_code, error.detail)
        return visit.sentence(sentence, error.status_code)

    return answer
