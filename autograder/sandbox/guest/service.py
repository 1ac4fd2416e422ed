"""The student's end of the channel: receives requests and sends the runner's replies.

Cells run in Jupyter's shell, quiet and without threads.
"""

import importlib
import os
import pdb
import socket
import sys
from collections.abc import Mapping
from functools import partial
from typing import Any

from IPython.core import debugger
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from autograder.sandbox import wire
from autograder.sandbox.guest.effects import BoundedText, redirected
from autograder.sandbox.guest.runner import Runner
from autograder.sandbox.guest.settings import ProcessSettings


class _QuietShell(InteractiveShell):
    """Prints no tracebacks: a cell's exception is returned and reported by the grader."""

    def showtraceback(self, *args: Any, **kwargs: Any) -> None:
        """Print nothing."""

    showsyntaxerror = showtraceback

    def enable_matplotlib(self, gui: Any = None) -> tuple[None, str]:
        """Draw to the file backend, whatever `%matplotlib` asks for."""
        return None, "agg"

    def enable_gui(self, gui: Any = None) -> None:
        """Open no windows."""

    def system(self, cmd: str) -> None:
        """Run no shell command: `!pip install`, say, would wait for a network that isn't there."""
        print(f"Not run during grading: {cmd}")


def prepare() -> Runner:
    """Create a runner in the warm process, before it forks, to save each child the time."""
    if "torch" in sys.modules:  # imported now, because a student's process can't read the file
        importlib.import_module("autograder.sandbox.guest.remote_module")
    config = Config()
    config.HistoryManager.enabled = False  # a process with its thread can't fork safely
    config.InteractiveShell.colors = "nocolor"
    pdb.set_trace = debugger.set_trace = _go_on
    shell = _QuietShell.instance(config=config)
    run = partial(_run_cell, shell)
    run("pass")  # the first cell is slow, because it initialises the shell
    return Runner(run, shell.user_ns)


def _go_on(*args: Any, **kwargs: Any) -> None:
    """Stop in no debugger, which a call of `breakpoint` asks for too: nobody would answer it."""


def _run_cell(shell: InteractiveShell, source: str) -> BaseException | None:
    # IPython drops empty lines at the top, which count in the notebook. They become comments, but
    # not above a magic, where none may stand.
    code = source.lstrip("\n")
    if not code.startswith("%%"):
        source = "#\n" * (len(source) - len(code)) + code
    result = shell.run_cell(source, store_history=True)  # type: ignore[no-untyped-call]
    error: BaseException | None = result.error_before_exec or result.error_in_exec
    return error


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

    runner.call_back, settings = call_back, ProcessSettings()
    # A thread that prints to a file, even to /dev/null, releases Python's lock and takes it again
    # before a core has woken up for this thread, on and on. One that prints to an object doesn't.
    with redirected(BoundedText(0)):
        while True:
            request = wire.Frame.read(receive).message()
            with settings.of(request):
                reply = runner.answer(request)
            send(reply)
