"""Requests to platforms and identity providers: over TLS, bounded in time and size, no redirects.

An address may come from outside, in a claim or a form. TLS makes sure that what answers is the
host in it, and nobody's answer sends us elsewhere: none leads to what only this machine can reach.
"""

import asyncio
import json
import ssl
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx
from pydantic import BaseModel, ValidationError

from autograder.course.settings import is_loopback
from autograder.errors import PlatformFault, shown

MAX_SECONDS = 10.0  # for all of a request, however slowly its answer comes
MAX_BYTES = 1 << 20  # of an answer
_MAX_SHOWN = 80  # characters of an address
M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class Answer:
    address: str
    next_page: str  # of a list, as its Link header names it
    body: bytes

    def object(self) -> dict[str, Any]:
        """Return what was answered; raise `PlatformFault` if it isn't a JSON object."""
        try:
            found = json.loads(self.body)
        except (ValueError, RecursionError):
            raise PlatformFault(f"{_short(self.address)} doesn't answer in JSON.") from None
        if not isinstance(found, dict):
            raise PlatformFault(f"{_short(self.address)} answers JSON that is no object.")
        return found

    def read(self, model: type[M]) -> M:
        """Return what was answered; raise `PlatformFault` if it lacks what the model needs."""
        try:
            return model.model_validate(self.object())
        except ValidationError as error:
            place = ".".join(str(part) for part in error.errors()[0]["loc"])
            raise PlatformFault(f"{_short(self.address)} doesn't say its `{place}`.") from None


@dataclass(frozen=True)
class Outgoing:
    """How requests go out; `plain_http` also to this machine without TLS, for trying things out."""

    plain_http: bool = False
    transport: httpx.AsyncBaseTransport | None = None  # in place of the network
    seconds: float = MAX_SECONDS

    async def ask(self, method: str, address: str, **said: Any) -> Answer:
        """Return the answer to a request; raise `PlatformFault` if none comes that can be used.

        `said` is what httpx takes: headers, data, json, params.
        """
        self.check(address)
        body = bytearray()
        try:
            async with (
                asyncio.timeout(self.seconds),
                httpx.AsyncClient(
                    transport=self.transport,
                    verify=_tls(),
                    timeout=self.seconds,
                    headers={"Accept-Encoding": "identity"},
                ) as client,
                client.stream(method, address, **said) as response,
            ):
                # As it comes: a compressed answer, which isn't asked for, could grow without bound.
                async for part in response.aiter_raw():
                    body += part
                    if len(body) > MAX_BYTES:
                        raise PlatformFault(
                            f"{_short(address)} answers more than {MAX_BYTES} bytes."
                        )
        except (TimeoutError, httpx.TimeoutException):
            raise PlatformFault(
                f"{_short(address)} doesn't answer within {self.seconds:g} seconds: try later."
            ) from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise PlatformFault(f"{_short(address)} can't be reached: {error}.") from None
        if not response.is_success:
            raise PlatformFault(f"{_short(address)} answers with status {response.status_code}.")
        return Answer(address, response.links.get("next", {}).get("url", ""), bytes(body))

    def check(self, address: str) -> str:
        """Return an address that may be asked; raise `PlatformFault` if this one may not."""
        try:
            parts = urlsplit(address)
            host = parts.hostname or ""
        except ValueError:
            raise PlatformFault(f"{_short(address)} is no address.") from None
        is_here = self.plain_http and parts.scheme == "http" and is_loopback(host)
        if not host or (parts.scheme != "https" and not is_here):
            raise PlatformFault(f"{_short(address)} must begin with https://.")
        return address


@cache
def _tls() -> ssl.SSLContext:
    return httpx.create_ssl_context()  # once: it reads all certificates of authorities


def _short(address: str) -> str:
    return shown(address.partition("?")[0][:_MAX_SHOWN])
