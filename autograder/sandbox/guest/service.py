"""The student's end of the channel: requests come in, the runner's replies go out."""

from __future__ import annotations

import importlib
import os
import socket
import sys
from collections.abc import Mapping
from typing import Any

from autograder.sandbox import wire
from autograder.sandbox.guest.ipython_shell import IPythonShell
from autograder.sandbox.guest.runner import Runner


def prepare() -> Runner:
    """Make a runner in the warm process, before it forks, so that no child pays for it."""
    if "torch" in sys.modules:  # only then is it needed; a student's process can't find it
        importlib.import_module("autograder.sandbox.guest.asking")
    shell = IPythonShell()
    shell.run("pass")  # the first cell is slow: what it needs is made on the way
    return Runner(shell)


def serve(runner: Runner, channel: socket.socket) -> None:
    """Answer requests on `channel` until the grader closes it; then end this process at once."""

    def receive(size: int) -> bytes:
        data = bytearray()
        while len(data) < size:
            chunk = channel.recv(min(size - len(data), 1 << 20))
            if not chunk:
                os._exit(0)
            data += chunk
        return bytes(data)

    def consult(request: Mapping[str, Any]) -> Any:
        channel.sendall(wire.pack({"ask": dict(request)}))
        answer = wire.read_frame(receive)
        if "error" in answer:
            raise RuntimeError(answer["error"]["message"])
        return answer.get("value")

    runner.consult = consult
    while True:
        channel.sendall(runner.answer(wire.read_frame(receive)))
