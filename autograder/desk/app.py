"""Which address shows what, and what is said when something goes wrong."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from urllib.parse import parse_qs, quote, unquote

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from autograder.desk import appeals, context, grading, overview
from autograder.desk.asked import Asked
from autograder.desk.books import Books
from autograder.desk.guard import NOTEBOOK_POLICY, Door, Guard
from autograder.desk.rendering import Page, Redirect, script, style
from autograder.errors import AutograderError, ChangedMeanwhile, DeskError, GraderFault
from autograder.gradebook import explaining_errors

MAX_FORM = 1 << 20  # bytes: some thousand answers that are graded at once
_GRADER = "desk_grader"  # the cookie with the name of who grades

Answer = Page | Redirect | str
Shown = Callable[[Asked], Answer]


def app(books: Books, door: Door, grader: str) -> Starlette:
    """Return the application; `grader` is who grades, unless somebody gives another name."""
    page = partial(_route, books, door, grader)
    question = "/question/{assignment}/{question}"
    submission = "/appeals/{assignment}/{notebook}"
    routes = [
        page("/", overview.show),
        page("/share/{assignment}/{question}", overview.share, "POST"),
        page(question, grading.show),
        page(question, grading.save, "POST"),
        page(f"{question}/undo", grading.undo, "POST"),
        page("/appeals/{assignment}", appeals.students),
        page(submission, appeals.show),
        page(submission, appeals.override, "POST"),
        page(f"{submission}/undo", appeals.undo, "POST"),
        page("/notebook/{assignment}/{notebook}", context.show),
        page("/grader", overview.rename, "POST"),
        Route("/desk.css", _file("text/css", style)),
        Route("/desk.js", _file("text/javascript", script)),
    ]
    middleware = [Middleware(Guard, door=door)]
    return Starlette(routes=routes, middleware=middleware, max_body_size=MAX_FORM)


def _route(
    books: Books, door: Door, grader: str, path: str, show: Shown, method: str = "GET"
) -> Route:
    async def endpoint(request: Request) -> Response:
        body = await request.body()
        csrf = door.secret("form")
        name = unquote(request.cookies.get(_GRADER, "")) or grader

        def answer() -> Response:
            asked = Asked(books, name, csrf, request.path_params, request.query_params)
            try:
                with explaining_errors():
                    if method == "POST":
                        asked = _with_form(asked, body)
                    return _response(asked, show(asked))
            except AutograderError as error:
                return _said(asked, error)

        return await run_in_threadpool(answer)

    return Route(path, endpoint, methods=[method])


def _with_form(asked: Asked, body: bytes) -> Asked:
    """Return the request with its form, which must be one of our own."""
    try:
        form = parse_qs(body.decode(), keep_blank_values=True, errors="strict")
    except ValueError:
        raise DeskError("This form can't be read: open the page again.") from None
    sent = (form.get("csrf") or [""])[-1]
    if not hmac.compare_digest(sent.encode(), asked.csrf.encode()):
        raise DeskError("This page comes from an earlier desk: reload it; nothing was saved.")
    return replace(asked, form=form)


def _response(asked: Asked, answer: Answer) -> Response:
    if isinstance(answer, Redirect):
        response = RedirectResponse(answer.address, 303)
        if answer.grader:
            name = quote(answer.grader)
            response.set_cookie(_GRADER, name, httponly=True, samesite="strict")
        return response
    if isinstance(answer, str):
        return HTMLResponse(answer, headers={"Content-Security-Policy": NOTEBOOK_POLICY})
    html = answer.html(csrf=asked.csrf, grader=asked.grader)
    return HTMLResponse(html, answer.status)


def _said(asked: Asked, error: AutograderError) -> Response:
    """Return a page with the sentence that says what to do."""
    statuses = ((ChangedMeanwhile, 409), (DeskError, 422), (GraderFault, 503))
    status = next((number for kind, number in statuses if isinstance(error, kind)), 404)
    page = Page("error.html", {"sentence": str(error)}, status)
    return _response(asked, page)


def _file(kind: str, content: Callable[[], str]) -> Callable[[Request], Response]:
    return lambda request: Response(content(), media_type=kind)
