"""The student's end of the channel: receives requests and sends the runner's replies."""

from __future__ import annotations

import importlib
import os
import socket
import sys
from collections.abc import Mapping
from typing import Any

from autograder.sandbox import wire
from autograder.sandbox.guest.ipython_shell import IPythonShell
from autograder.sandbox.guest.output import BoundedText, redirected
from autograder.sandbox.guest.runner import Runner


def prepare() -> Runner:
    """Create a runner in the warm process, before it forks, to save each child the time."""
    if "torch" in sys.modules:  # imported now, because a student's process can't read the file
        importlib.import_module("autograder.sandbox.guest.remote_module")
    shell = IPythonShell()
    shell.run("pass")  # the first cell is slow, because it initialises the shell
    return Runner(shell)


def serve(runner: Runner, channel: socket.socket) -> None:
    """Reply to requests on `channel` until the grader closes it; then end this process at once."""

    def receive(size: int) -> bytearray:
        data = bytearray()
        while len(data) < size:
            chunk = channel.recv(min(size - len(data), 1 << 20))
            if not chunk:
                os._exit(0)
            data += chunk
        return data

    def send(frame: wire.Frame) -> None:
        for piece in frame.pieces():
            channel.sendall(piece)

    def call_back(request: Mapping[str, Any]) -> Any:
        send(wire.Frame.of({"ask": dict(request)}))
        answer = wire.Frame.read(receive).message()
        if "error" in answer:
            raise RuntimeError(answer["error"]["message"])
        return answer.get("value")

    runner.call_back = call_back
    # A thread that prints to a file, even to /dev/null, releases Python's lock and takes it again
    # before a core has woken up for this thread, on and on. One that prints to an object doesn't.
    with redirected(BoundedText(0)):
        while True:
            send(runner.answer(wire.Frame.read(receive).message()))
