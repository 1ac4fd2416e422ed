"""Requests that are packed once and sent often, and the replies that are expected to them.

The last field of each message on a channel is its number, which is no part of what is compared.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from autograder.sandbox.wire import Buffer, Frame


class Packed(dict[str, Any]):
    """A request and the reply that is expected to it, as they were when they were packed."""

    def __init__(self, request: Mapping[str, Any], reply: Mapping[str, Any]) -> None:
        """Pack both."""
        super().__init__(request)
        self.frame, self.reply = Frame.of(request), dict(reply)
        header, body = Frame.of(reply)
        self.size = sum(map(len, (*self.frame, header, body)))  # bytes
        self._digest = _digest(header[:-1], body)

    def expects(self, number: int, frame: Frame) -> bool:
        """Tell whether this is the frame of the expected reply, with this number."""
        header, end = frame.header, _number_field(number)
        return header.endswith(end) and _digest(header[: -len(end)], frame.body) == self._digest


def frame_of(request: Mapping[str, Any]) -> Frame:
    """Return the frame of a request."""
    return request.frame if isinstance(request, Packed) else Frame.of(request)


def numbered(frame: Frame, number: int) -> Frame:
    """Return the frame of the same message with a number."""
    return frame._replace(header=frame.header[:-1] + _number_field(number))


def _number_field(number: int) -> bytes:
    """Return how the header of a message ends whose last field is its number."""
    return f', "number": {number}}}'.encode()


def _digest(header: Buffer, body: Buffer) -> bytes:
    """Return a digest of both, which differs if a byte passes from one to the other."""
    return hashlib.blake2b(body, key=hashlib.blake2b(header).digest()).digest()
