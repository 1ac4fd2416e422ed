"""A tool, a platform and browsers in one process, who talk to each other through no network."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import unescape
from typing import Any, Self
from unittest.mock import patch
from urllib.parse import urlsplit

import httpx
import jwt
from cryptography.hazmat.primitives import serialization
from sqlalchemy import select
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.types import ASGIApp

from autograder.course import Course
from autograder.serve import people
from autograder.serve.lti import keys, launch, platforms, routes
from autograder.serve.lti.platforms import LtiPlatform as Registered
from autograder.serve.lti.services import Services
from autograder.serve.outgoing import Outgoing
from autograder.serve.people import Identity
from autograder.serve.store import Store, open_store
from autograder.serve.tables import CONTEXTS
from tests.serve.lti.platforms import (
    CLIENT,
    DEPLOYMENT,
    GRACE,
    LINK,
    LMS,
    TOOL,
    Platform,
    User,
    keys_of_a_tool,
    load_once,
    query_of,
)

SECONDS = 120.0  # that the tool waits for an answer, however busy this machine is
_FIELD = re.compile(r'name="(\w+)" value="([^"]*)"')


class Hosts(httpx.AsyncBaseTransport):
    """A network of applications, by their hosts."""

    def __init__(self) -> None:
        self._hosts: dict[str, httpx.ASGITransport] = {}
        self.asked: list[str] = []
        self.instead: Callable[[httpx.Request], Awaitable[httpx.Response]] | None = None

    def add(self, address: str, app: ASGIApp) -> None:
        self._hosts[address] = httpx.ASGITransport(app)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(str(request.url))
        if self.instead and request.url.host == urlsplit(LMS).hostname:
            return await self.instead(request)
        return await self._hosts[f"https://{request.url.host}"].handle_async_request(request)


class Waiting(httpx.BaseTransport):
    """The same for somebody who waits for each answer, as a browser does."""

    def __init__(self, hosts: Hosts) -> None:
        self._hosts = hosts

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        async def ask() -> httpx.Response:
            asked = httpx.Request(
                request.method, request.url, headers=request.headers, content=request.read()
            )
            answer = await self._hosts.handle_async_request(asked)
            return httpx.Response(
                answer.status_code, headers=answer.headers, content=await answer.aread()
            )

        return asyncio.run(ask())


@dataclass
class World:
    course: Course
    store: Store
    platform: Platform
    tool: routes.Tool
    hosts: Hosts
    app: Starlette

    @property
    def services(self) -> Services:
        return self.tool.services

    def browser(self) -> httpx.Client:
        return httpx.Client(transport=Waiting(self.hosts), timeout=None, verify=False)

    def begin(self, browser: httpx.Client, user: User, hint: str = LINK) -> dict[str, str]:
        """Open a link, and return what the tool asks the platform, by way of the browser."""
        response = browser.get(self.platform.initiate(user, hint))
        assert response.status_code == 303, response.text
        return query_of(response.headers["location"])

    def launch(self, browser: httpx.Client, user: User, hint: str = LINK) -> httpx.Response:
        """Open a link, up to where the tool lets somebody in, or doesn't."""
        form = self.platform.form(self.begin(browser, user, hint))
        return self.post(browser, form["id_token"], form["state"])

    def post(self, browser: httpx.Client, token: str, state: str, **headers: str) -> httpx.Response:
        form = {"id_token": token, "state": state}
        return browser.post(f"{TOOL}/lti/launch", data=form, headers=headers)

    @contextmanager
    def network(
        self, answer: Callable[[httpx.Request], Awaitable[httpx.Response]]
    ) -> Iterator[None]:
        """Have something else answer in the platform's place; nobody waits long for it."""
        object.__setattr__(self.tool.outgoing, "seconds", 0.4)
        self.hosts.instead = answer
        try:
            yield
        finally:
            self.hosts.instead = None
            object.__setattr__(self.tool.outgoing, "seconds", SECONDS)

    def accept(self) -> Self:
        """Have somebody here accept the course on the platform, after it was seen once."""
        with self.browser() as browser:
            assert self.launch(browser, GRACE).status_code == 403
        (row,) = self.rows(CONTEXTS)
        launch.accept(self.store, row.number)
        return self

    def who(self, browser: httpx.Client) -> Identity | None:
        """Return whom the tool takes a browser for."""
        return who_is(self.app, browser)

    def rows(self, table: Any) -> list[Any]:
        with self.store.engine.connect() as connection:
            return list(connection.execute(select(table)))


@contextmanager
def world(course: Course, platform: Platform | None = None) -> Iterator[World]:
    """Yield a tool that knows a platform, which knows it; their courses aren't one yet."""
    platform = platform or Platform()
    with (
        open_store(course.at_address(TOOL)) as store,
        patch.object(keys, "generate_private_key", keys_of_a_tool()),
        patch.object(serialization, "load_pem_private_key", load_once),
        patch.object(jwt.algorithms, "load_pem_private_key", load_once),
    ):
        hosts = Hosts()
        tool = routes.open_tool(store, Outgoing(transport=hosts, seconds=SECONDS))
        app = Starlette(routes=routes.door(tool))
        app.state.store = store
        platform.tool_keys = tool.keys.published
        hosts.add(TOOL, app)
        hosts.add(LMS, platform.app())
        platforms.save(
            store,
            Registered(
                issuer=LMS,
                client_id=CLIENT,
                login_url=f"{LMS}/auth",
                token_url=f"{LMS}/token",
                keys_url=f"{LMS}/keys",
                deployments=frozenset({DEPLOYMENT}),
            ),
        )
        yield World(course, store, platform, tool, hosts, app)


def who_is(app: Starlette, browser: httpx.Client) -> Identity | None:
    """Return whom an application takes a browser for."""
    name = people.cookie_name(app.state.store)
    cookie = f"{name}={browser.cookies.get(name)}".encode()
    session = people.session_of(
        Request({"type": "http", "headers": [(b"cookie", cookie)], "app": app})
    )
    return session.identity if session else None


def fields(page: str) -> dict[str, str]:
    return {name: unescape(value) for name, value in _FIELD.findall(page)}
