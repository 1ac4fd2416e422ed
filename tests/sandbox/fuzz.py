"""Fuzz all that reads messages from inside: frames, replies, callbacks.

    python -m tests.sandbox.fuzz CORPUS [-max_total_time=60]

needs atheris, which isn't among the development requirements: it is built for few platforms. What
it finds belongs into `corpus/`, which a test replays.
"""

import contextlib
import importlib
import json
import struct
import sys
from pathlib import Path

from autograder.sandbox import wire
from autograder.sandbox.host import callbacks, replies

CORPUS = Path(__file__).parent / "corpus"
OPERATIONS = ("run", "defined", "call", "parameters", "state", "gradients", "mode")


def read(data: bytes) -> None:
    """Read `data`, a header and behind a zero byte a body; raise if it does more than be refused.

    Whatever is let through can be sent again.
    """
    header, _, body = data.partition(b"\0")
    frame = struct.pack("!II", len(header), len(body)) + header + body
    with contextlib.suppress(wire.WireError):
        message = wire.unpack(frame)
        wire.unpack(wire.pack(message))
        if callbacks.is_allowed(message.get("ask")):
            json.dumps(message["ask"]["op"])
        for operation in OPERATIONS:
            with contextlib.suppress(wire.WireError):
                reply = replies.checked(message, 1, operation)
                assert reply.keys() <= {"output", "value", "changed", "error"}


def main() -> None:
    """Fuzz until told to stop."""
    import atheris  # type: ignore[import-not-found, import-untyped, unused-ignore]

    with atheris.instrument_imports(include=["autograder.sandbox"]):
        for module in (wire, replies, callbacks):  # in the order in which they import each other
            importlib.reload(module)
    atheris.Setup(sys.argv, read)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
