"""The addresses that platforms know: where a sign-in begins and ends, our keys, and registration.

A platform's form arrives from another site, mostly in a new window, perhaps in a frame of its page.
It proves itself by its token, not by our cookie; so these addresses stand outside the guard of our
forms.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute

from autograder.browsers import address_of
from autograder.course.course import LTI_KEYS
from autograder.errors import AutograderError, SignInRefused
from autograder.serve import invites
from autograder.serve.id_tokens import KeySets, verified
from autograder.serve.logins import Logins, door_at
from autograder.serve.lti import deep_linking, launch, platforms, registration, roster
from autograder.serve.lti.claims import Message, read_message
from autograder.serve.lti.keys import Keys
from autograder.serve.lti.platforms import LtiPlatform
from autograder.serve.lti.services import Services
from autograder.serve.outgoing import Outgoing
from autograder.serve.people import Identity, Role, sign_in
from autograder.serve.store import Store
from autograder.telling.pages.looks import environment

SOON = timedelta(minutes=2)  # in which somebody opens a window out of a frame
_LTI = "lti "  # before a platform's number, in the name of the one that is to answer
_ORIGIN = re.compile(r"https?://[\w.:\[\]-]+")


@dataclass(frozen=True)
class Tool:
    """What the addresses share: this course as a tool of platforms."""

    store: Store
    logins: Logins
    outgoing: Outgoing
    key_sets: KeySets
    keys: Keys
    services: Services


def open_tool(store: Store, outgoing: Outgoing) -> Tool:
    keys = Keys(store.course.root / LTI_KEYS)
    key_sets, services = KeySets(outgoing), Services(outgoing, keys)
    return Tool(store, Logins(store), outgoing, key_sets, keys, services)


Answer = Callable[[Tool, Request], Awaitable[Response]]


def door(tool: Tool) -> Sequence[BaseRoute]:
    """Return the routes, which end with `people.sign_in`."""

    def route(path: str, answer: Answer, *methods: str) -> BaseRoute:
        return door_at(f"/lti/{path}", partial(answer, tool), _refusal, *methods)

    return [
        route("login", _begin, "GET", "POST"),
        route("launch", _end, "POST"),
        route("keys", _keys, "GET"),
        route("register/{secret}", _register, "GET"),
    ]


async def _begin(tool: Tool, request: Request) -> Response:
    """Send the browser back to the platform, to be told there who it is (LTI 1.3, 5.1.1)."""
    said = request.query_params if request.method == "GET" else await request.form()
    platform = await run_in_threadpool(
        platforms.named, tool.store, _text(said, "iss"), _text(said, "client_id")
    )
    login = await run_in_threadpool(tool.logins.begin, request, f"{_LTI}{platform.number}")
    asked = {
        "scope": "openid",
        "response_type": "id_token",
        "response_mode": "form_post",
        "prompt": "none",
        "client_id": platform.client_id,
        "redirect_uri": f"{tool.store.site}/lti/launch",
        "login_hint": _text(said, "login_hint"),
    }
    if hint := _text(said, "lti_message_hint"):
        asked["lti_message_hint"] = hint
    return tool.logins.send(login, platform.login_url, asked)


async def _end(tool: Tool, request: Request) -> Response:
    """Let in the person that a platform names by a token of its own."""
    form = await request.form()
    if error := _text(form, "error"):
        raise SignInRefused(f"the platform says {error[:80]!r}")
    login = await run_in_threadpool(tool.logins.take, request, _text(form, "state"))
    if not login.provider.startswith(_LTI):
        raise SignInRefused("it answers another kind of sign-in")
    number = int(login.provider.removeprefix(_LTI))
    platform = await run_in_threadpool(platforms.numbered, tool.store, number)
    claims = await verified(_text(form, "id_token"), platform.signs, login.nonce, tool.key_sets)
    return await run_in_threadpool(_let_in, tool, request, platform, read_message(claims))


def _let_in(tool: Tool, request: Request, platform: LtiPlatform, message: Message) -> Response:
    context = launch.course_of(tool.store, platform, message)
    who = launch.who(tool.store.course, platform, message.member)
    if message.deep_linking_settings:
        return _choices(tool, platform, message, who)
    assignment = launch.assignment_of(tool.store, context, message)
    if not who.is_staff:
        roster.keep_members(tool.store, context, [who.person])
    # In a frame, browsers wouldn't keep somebody signed in: a link leads out of it.
    if request.headers.get("sec-fetch-dest") in ("iframe", "frame"):
        tool.store.note(who.person, who.role, address_of(request), "came by LTI, in a frame")
        return _page("window.html", {"link": invites.invite(tool.store, who, SOON)})
    overview = "class" if who.is_staff else "homework"
    return sign_in(request, who, "LTI", f"/{overview}/{assignment}" if assignment else "/")


def _choices(tool: Tool, platform: LtiPlatform, message: Message, who: Identity) -> Response:
    """Show a button for each assignment, which tells the platform what its new link leads to."""
    assert message.deep_linking_settings
    if who.role is not Role.INSTRUCTOR:
        raise SignInRefused("only instructors choose what a link leads to")
    back = tool.outgoing.check(message.deep_linking_settings.deep_link_return_url)
    choices = [
        (name, deep_linking.answer(tool.store, tool.keys, platform, message, name))
        for name in tool.store.course.released()
    ]
    return _page("choose.html", {"choices": choices, "back": back}, _origin(back))


async def _keys(tool: Tool, _: Request) -> Response:
    published = await run_in_threadpool(tool.keys.published)
    return JSONResponse(published, headers={"Cache-Control": "public, max-age=3600"})


async def _register(tool: Tool, request: Request) -> Response:
    """Register with a platform, as an administrator asked there, by an address that we gave out."""
    said = request.query_params
    await run_in_threadpool(registration.use_offer, tool.store, request.path_params["secret"])
    platform = await registration.register(
        tool.store,
        tool.outgoing,
        _text(said, "openid_configuration"),
        _text(said, "registration_token"),
    )
    await platforms.check(platform, tool.outgoing)
    await run_in_threadpool(platforms.save, tool.store, platform)
    return _page("registered.html", {"platform": platform})


def _refusal(error: AutograderError, status: int) -> Response:
    is_reason = isinstance(error, SignInRefused)
    return _page("refused.html", {"reason": str(error), "is_reason": is_reason}, status=status)


def _page(
    template: str, said: Mapping[str, object], form_to: str = "'none'", status: int = 200
) -> Response:
    """Return a page that others may frame, and whose form, if any, goes to `form_to`.

    A platform frames it under hosts that no registration names. That gains nobody
    anything: on these pages people can only do what they were sent here to do.
    """
    policy = (
        f"default-src 'none'; style-src 'self'; base-uri 'none'; form-action {form_to}; "
        "frame-ancestors *"
    )
    page = _environment().get_template(template).render(said)
    return HTMLResponse(page, status, {"Content-Security-Policy": policy})


@cache
def _environment() -> Environment:
    return environment(Path(__file__).parent / "templates")


def _origin(address: str) -> str:
    """Return the origin of an address, as a policy may name it."""
    parts = urlsplit(address)
    origin = f"{parts.scheme}://{parts.netloc}"
    return origin if _ORIGIN.fullmatch(origin) else "'none'"


def _text(said: Mapping[str, Any], name: str) -> str:
    value = said.get(name, "")
    return value if isinstance(value, str) else ""
