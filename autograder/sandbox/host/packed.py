"""Requests that are packed once and sent often, and the replies that are expected to them.

The last field of each message on a channel is its number, which is no part of what is compared.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from autograder.sandbox import wire


class Packed(dict[str, Any]):
    """A request and the reply that is expected to it, as they were when they were packed."""

    def __init__(self, request: Mapping[str, Any], reply: Mapping[str, Any]) -> None:
        """Pack both."""
        super().__init__(request)
        self.frame, self.reply = wire.pack(request), dict(reply)
        header, body = wire.parts(wire.pack(reply))
        self.size = len(self.frame) + len(header) + len(body)  # bytes
        self._digest = _digest(header[:-1], body)

    def expects(self, number: int, header: bytes, body: bytes) -> bool:
        """Tell whether these are the parts of the expected reply, with this number."""
        end = _number_field(number)
        return header.endswith(end) and _digest(header[: -len(end)], body) == self._digest


def frame_of(request: Mapping[str, Any]) -> bytes:
    """Return the frame of a request."""
    return request.frame if isinstance(request, Packed) else wire.pack(request)


def numbered(frame: bytes, number: int) -> bytes:
    """Return the frame of the same message with a number."""
    header, body = wire.parts(frame)
    return wire.joined(header[:-1] + _number_field(number), body)


def _number_field(number: int) -> bytes:
    """Return how the header of a message ends whose last field is its number."""
    return f', "number": {number}}}'.encode()


def _digest(header: bytes, body: bytes) -> bytes:
    return hashlib.blake2b(body, key=hashlib.blake2b(header).digest()).digest()
