"""Which address of the server shows what, and to whom: one table.

Besides our own pages there are doors (`doors.py`): ways to sign in that others provide, as LTI.
"""

import hmac
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Route

from autograder.errors import AutograderError, GraderFault
from autograder.gradebook.database import explaining_errors
from autograder.intake.notebook import MAX_NOTEBOOK
from autograder.serve import entrance, staff, student
from autograder.serve.guard import Guard
from autograder.serve.people import Role, session_of
from autograder.serve.visit import TEMPLATES, House, Visit, style

MAX_FORM = 64 << 10  # bytes
MAX_UPLOAD = MAX_NOTEBOOK + MAX_FORM
MAX_FIELDS = 20

# What the framework says of a request, and what we say.
_UNREADABLE = "This form can't be read: open the page again, and send one file."
_SENTENCES = {404: "There is no such page: go back to the first one.", 400: _UNREADABLE}
Show = Callable[[Visit], Response]

NOBODY: Collection[Role] = ()  # need to be signed in
EVERYBODY = (Role.STUDENT, Role.TA, Role.INSTRUCTOR)
STUDENTS = (Role.STUDENT,)
STAFF = (Role.TA, Role.INSTRUCTOR)
INSTRUCTORS = (Role.INSTRUCTOR,)

# Of tries and students, somebody sees their own, or those of their sections: `Visit.sees`.
PAGES: Sequence[tuple[str, str, Show, Collection[Role]]] = (
    ("GET", "/", entrance.welcome, NOBODY),
    ("GET", "/invite/{secret}", entrance.invited, NOBODY),
    ("POST", "/invite/{secret}", entrance.enter, NOBODY),
    ("POST", "/leave", entrance.leave, EVERYBODY),
    ("POST", "/devices", entrance.another_device, EVERYBODY),
    ("GET", "/homework", student.assignments, STUDENTS),
    ("GET", "/homework/{assignment}", student.assignment, STUDENTS),
    ("POST", "/homework/{assignment}", student.hand_in, STUDENTS),
    ("GET", "/try/{number:int}", student.show_try, EVERYBODY),
    ("GET", "/try/{number:int}/live", student.follow, EVERYBODY),
    ("GET", "/try/{number:int}/feedback", student.feedback, EVERYBODY),
    ("GET", "/try/{number:int}/notebook", student.notebook, EVERYBODY),
    ("POST", "/try/{number:int}/choose", student.choose, STUDENTS),
    ("POST", "/try/{number:int}/appeal", student.appeal, STUDENTS),
    ("POST", "/try/{number:int}/again", staff.grade_again, STAFF),
    ("GET", "/class", staff.glance, STAFF),
    ("GET", "/class/{assignment}", staff.on_assignment, STAFF),
    ("GET", "/student/{student}", staff.history, STAFF),
    ("POST", "/student/{student}/extend/{assignment}", staff.extend, INSTRUCTORS),
    ("POST", "/appeal/{number:int}", staff.answer, STAFF),
    ("GET", "/log", staff.log, INSTRUCTORS),
)


def app(house: House, site: str) -> Starlette:
    """Return the application; `site` is its address as browsers know it, as https://hw.example."""
    routes: list[BaseRoute] = [
        Route(path, _answer(house, show, roles), methods=[method], max_body_size=_most(show))
        for method, path, show, roles in PAGES
    ]
    routes += [
        Route("/serve.css", lambda _: Response(style(), media_type="text/css")),
        Route("/serve.js", lambda _: FileResponse(TEMPLATES / "serve.js")),
    ]
    routes += house.doors.routes
    made = Starlette(
        routes=routes,
        middleware=[Middleware(Guard, site=site)],
        exception_handlers={HTTPException: _sentence(house)},
        max_body_size=MAX_UPLOAD,
    )
    made.state.store, made.state.site = house.store, site
    return made


def _most(show: Show) -> int:
    return MAX_UPLOAD if show is student.hand_in else MAX_FORM


def _answer(
    house: House, show: Show, roles: Collection[Role]
) -> Callable[[Request], Awaitable[Response]]:
    def shown(request: Request, form: Mapping[str, str | UploadFile]) -> Response:
        visit = Visit(request, house, session_of(request), form)
        if roles:
            _check(visit, roles)
        try:
            with explaining_errors():
                return show(visit)
        except AutograderError as error:
            status = 503 if isinstance(error, GraderFault) else 422
            return visit.page("sentence.html", {"sentence": str(error)}, status)

    async def endpoint(request: Request) -> Response:
        if request.method != "POST":
            return await run_in_threadpool(shown, request, {})
        async with request.form(max_files=1, max_fields=MAX_FIELDS, max_part_size=MAX_FORM) as form:
            return await run_in_threadpool(shown, request, dict(form))

    return endpoint


def _check(visit: Visit, roles: Collection[Role]) -> None:
    """Raise `HTTPException` unless it is one of these roles, and a form is of our own pages."""
    if visit.session is None:
        raise HTTPException(401, "You aren't signed in: open your link, or ask for another.")
    if visit.who.role not in roles:
        raise HTTPException(403, "This page isn't for you: go back to the first one.")
    sent = visit.text("csrf").encode()
    is_form = visit.request.method == "POST"
    if is_form and not hmac.compare_digest(sent, visit.session.csrf.encode()):
        raise HTTPException(403, "This page is outdated: reload it, and try again.")


def _sentence(house: House) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def answer(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        session = await run_in_threadpool(session_of, request)
        visit = Visit(request, house, session)
        is_ours = " " in error.detail and error.status_code != 400
        sentence = error.detail if is_ours else _SENTENCES.get(error.status_code, error.detail)
        return visit.page("sentence.html", {"sentence": sentence}, error.status_code)

    return answer
