"""The grader's end: start a warm process, have it spawn and kill students' processes."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Any

from autograder.errors import GraderFault, SandboxUnavailable
from autograder.sandbox.host import program
from autograder.sandbox.host.cgroups import memory_group
from autograder.sandbox.isolation import Isolation
from autograder.sandbox.limits import Limits
from autograder.sandbox.readable import exposed

_CONFINED = "confined"  # what a student's process says first, if it is
_MOST_OF_IT = 0.75  # of the memory it may take: what crashes beyond that, crashed for want of it
_START_SECONDS, _ANSWER_SECONDS = 120.0, 20.0


class ExitReason(StrEnum):
    """How a student's process ended."""

    MEMORY = "memory"  # the kernel ended it for the memory that it took
    CRASHED = "crashed"  # a signal ended it, such as that of an invalid memory access
    EXITED = "exited"  # it left by itself
    KILLED = "killed"  # it lived until we ended it


class WarmProcess:
    """A process that is ready to become any student's; see `warm`.

    It belongs to the thread that makes it: Linux ends it with that thread, however that ends.
    """

    def __init__(
        self,
        level: Isolation,
        limits: Limits,
        preload: tuple[str, ...] = ("numpy",),
        service: str = "autograder.sandbox.guest.service",
        hidden: Iterable[Path] = (),
    ) -> None:
        """Start it; it imports `service` and `preload` meanwhile.

        Students' processes can't read what is `hidden`, wherever it lies.
        """
        self.level, self.limits = level, limits
        self._imports = {"service": service, "preload": preload}
        # only what has to be: a student's process isn't to know where the rest lies
        self._hidden = exposed(hidden)
        self._children: dict[int, Child] = {}
        self._start()

    def __enter__(self) -> WarmProcess:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The process that ends when the warm process does."""
        return self._process.pid

    @property
    def counts_memory(self) -> bool:
        """Whether the kernel counts all memory of the students' processes, not addresses alone."""
        return self._memory is not None

    def spawn(self) -> Child:
        """Fork a process for one student; it is confined, and waits for requests.

        Raises `SandboxUnavailable` if `level` can't be had on this machine.
        """
        try:
            if self._heard and self._process.poll() is not None:  # it has ended: make another
                self.close()
                self._start()
            if not self._heard:
                self._wait_until_ready()
            ours, theirs = socket.socketpair()
        except OSError as error:
            raise GraderFault(f"A student's process can't be started: {error}.") from error
        with theirs:
            cores = sorted(os.sched_getaffinity(0))  # it runs where we do, whom it answers
            pid = self._ask({"op": "spawn", "cores": cores}, [theirs.fileno()])["pid"]
        child = self._children[pid] = Child(self, pid, ours)
        said = _first_words(ours)
        if said != _CONFINED:
            child.kill()
            raise SandboxUnavailable(f"A process can't be confined here ({said}).")
        return child

    def reap(self, pid: int) -> ExitReason:
        """End a student's process, if it hasn't ended yet; tell how it did."""
        del self._children[pid]
        try:
            end = self._ask({"op": "kill", "pid": pid})
        except GraderFault:  # the warm process has ended, and the student's with it
            return ExitReason.KILLED
        if self._memory is not None and self._memory.has_killed():
            return ExitReason.MEMORY
        if end["code"] >= 0:
            return ExitReason.EXITED
        if end["code"] == -signal.SIGKILL:  # if not by us, by a kernel short of memory
            return ExitReason.KILLED if end["alive"] else ExitReason.MEMORY
        # code in C often ends the process where it gets no more memory
        scarce = end["grown_mb"] > _MOST_OF_IT * self.limits.memory_mb
        return ExitReason.MEMORY if scarce else ExitReason.CRASHED

    def close(self) -> None:
        """End it and all that it forked; leave nothing behind."""
        for child in list(self._children.values()):
            child.kill()
        if not self._heard:  # it is still at its imports: nobody needs them
            self._end()
        self._resources.close()

    def _end(self) -> None:
        self._process.kill()
        self._process.wait()

    def _start(self) -> None:
        with contextlib.ExitStack() as resources:
            self._memory = memory_group(self.limits.memory_mb)
            if self._memory is not None:
                resources.callback(self._memory.close)
            scratch = resources.enter_context(program.scratch_directory())
            self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                self._process = program.start(theirs, scratch)
            resources.callback(program.end, self._process, self._control)
            self._introduce(scratch)
            self._resources = resources.pop_all()

    def _introduce(self, scratch: str) -> None:
        """Tell the new process what it is to be."""
        uid = os.getuid() or program.uid_for(self._process.pid)
        os.chown(scratch, uid, -1)
        settings = self._imports | {"root": program.ROOT, "level": self.level, "uid": uid}
        settings |= {"hidden": self._hidden, "limits": asdict(self.limits)}
        fds = [self._memory.members] if self._memory is not None else []
        self._tell(settings, fds)
        self._heard = False

    def _wait_until_ready(self) -> None:
        self._heard = True  # whatever it says, and if it says nothing: it is waited for once
        reply = self._hear(_START_SECONDS)
        if "error" in reply:
            self._end()
            raise SandboxUnavailable(f"The sandbox can't be set up here ({reply['error']}).")

    def _ask(self, request: dict[str, Any], fds: Sequence[int] = ()) -> dict[str, Any]:
        """Return the warm process's answer to `request`, with which open files may be passed."""
        with contextlib.suppress(OSError):  # it has ended: then no answer comes either
            self._tell(request, fds)
        return self._hear(_ANSWER_SECONDS)

    def _tell(self, request: dict[str, Any], fds: Sequence[int]) -> None:
        socket.send_fds(self._control, [json.dumps(request).encode()], fds)

    def _hear(self, seconds: float) -> dict[str, Any]:
        self._control.settimeout(seconds)
        try:
            answer = self._control.recv(4096)
            if not answer:
                raise EOFError("it has ended")
        except (OSError, EOFError) as error:
            self._end()
            raise GraderFault(f"The sandbox's warm process doesn't answer: {error}.") from None
        reply: dict[str, Any] = json.loads(answer)
        return reply


class Child:
    """One student's process: `socket` leads to it."""

    def __init__(self, warm: WarmProcess, pid: int, channel: socket.socket) -> None:
        self.socket, self.level = channel, warm.level
        self._warm, self._pid = warm, pid
        self._exit_reason: ExitReason | None = None

    def kill(self) -> ExitReason:
        """End the process, if it hasn't ended yet; tell how it did, a second time too."""
        if self._exit_reason is None:
            self._exit_reason = self._warm.reap(self._pid)
            self.socket.close()
        return self._exit_reason


def _first_words(channel: socket.socket) -> str:
    """Return what a student's process says before it serves: that it is confined, or why not."""
    channel.settimeout(_ANSWER_SECONDS)
    try:
        return channel.recv(1000).decode(errors="replace")
    except OSError as error:
        return str(error)
    finally:
        channel.settimeout(None)
