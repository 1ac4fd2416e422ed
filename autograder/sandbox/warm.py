"""The warm process: it has everything imported that students need, and forks one process for each.

It is started as a fresh program with an empty environment, so that its memory, which every student
inherits, holds no secret: no hidden test, no solution, no gradebook, no other submission. What a
student's process is asked and answers never passes through here.

The grader tells it, one JSON datagram each: `spawn` (with the student's end of a socket), `kill`.
"""

from __future__ import annotations

import array
import contextlib
import gc
import importlib
import json
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograder.sandbox import kernel
from autograder.sandbox.confinement import Confinement, fork_confined, reap
from autograder.sandbox.isolation import Isolation
from autograder.sandbox.limits import Limits

_STANDARD_STREAMS = 3


def main(control_fd: int, settings: dict[str, Any]) -> None:
    """Import, freeze, and serve the grader until it closes the control channel."""
    control = socket.socket(fileno=control_fd)
    service = importlib.import_module(settings["service"])
    for name in settings["preload"]:
        with contextlib.suppress(ImportError):  # a student who needs it will be told
            importlib.import_module(name)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)  # a fork of a process with threads may hang
    runner = service.prepare()
    sys.path.remove(settings["root"])
    kernel.adopt_orphans()
    gc.collect()
    gc.freeze()  # or the children's collector would touch, and so copy, every page
    control.send(b"{}")
    _Warm(control, lambda channel: service.serve(runner, channel), settings).run()


class _Warm:
    """Answers the grader; at most one student's process lives at a time."""

    def __init__(
        self,
        control: socket.socket,
        serve: Callable[[socket.socket], None],
        settings: dict[str, Any],
    ) -> None:
        self._control, self._serve = control, serve
        self._pid: int | None = None
        self._confinement = Confinement(
            Isolation(settings["level"]),
            Limits(**settings["limits"]),
            settings["uid"],
            tuple(map(Path, settings["cgroups"])),
        )

    def run(self) -> None:
        while True:
            message, fds = self._receive()
            if not message:  # the grader has gone, however it ended
                self._kill()
                return
            try:
                reply = self._spawn(fds[0]) if message == b"spawn" else self._kill()
            except OSError as error:
                reply = {"error": str(error)}
            for fd in fds:
                os.close(fd)
            self._control.send(json.dumps(reply).encode())

    def _receive(self) -> tuple[bytes, list[int]]:
        message, ancillary, _, _ = self._control.recvmsg(64, socket.CMSG_SPACE(4))
        fds = array.array("i")
        for _, _, data in ancillary:
            fds.frombytes(data)
        return message, list(fds)

    def _spawn(self, fd: int) -> dict[str, Any]:
        self._pid = fork_confined(self._confinement, lambda: self._work(fd))
        return {}

    def _work(self, fd: int) -> None:
        """Be the student's process: nothing open but the channel, on the first free number."""
        null = os.open(os.devnull, os.O_RDWR)
        for stream in range(_STANDARD_STREAMS):
            os.dup2(null, stream)
        os.dup2(fd, _STANDARD_STREAMS)
        os.closerange(_STANDARD_STREAMS + 1, 1 << 16)
        self._serve(socket.socket(fileno=_STANDARD_STREAMS))

    def _kill(self) -> dict[str, Any]:
        if self._pid is not None:
            reap(self._pid)
            self._pid = None
        return {}
