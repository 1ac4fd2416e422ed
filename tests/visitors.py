"""Somebody who looks at our pages without scripts, and a server that answers in a thread."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import httpx
import uvicorn
from bs4 import BeautifulSoup

from tests.waiting import comes_true


@dataclass
class Visitor:
    """Somebody with a browser, without scripts."""

    http: httpx.Client
    page: BeautifulSoup = field(default_factory=BeautifulSoup)
    status: int = 0
    path: str = ""

    def open(self, path: str, **query: str) -> BeautifulSoup:
        return self.read(self.http.get(path, params=query or None))

    def read(self, response: httpx.Response) -> BeautifulSoup:
        self.status = response.status_code
        self.path = response.url.path
        self.page = BeautifulSoup(response.text, "html.parser")
        return self.page

    @property
    def text(self) -> str:
        return self.page.get_text(" ", strip=True)


def browser_at(site: str) -> httpx.Client:
    # There is no TLS: to load certificates would take as long as a request.
    return httpx.Client(base_url=site, follow_redirects=True, timeout=120, verify=False)


class _Hurried:
    """What uvicorn knows as `asyncio`: it sleeps a tenth as long.

    It looks ten times a second whether it should end, and then waits as long again, which is
    longer than most tests take.
    """

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / 10)


@contextmanager
def serving(made: uvicorn.Server, listening: socket.socket) -> Iterator[None]:
    """Let a server answer in a thread."""
    with patch("uvicorn.server.asyncio", _Hurried()):
        thread = threading.Thread(target=made.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            assert comes_true(lambda: made.started, 120)
            yield
        finally:
            made.should_exit = True
            thread.join()
