"""Start a warm process, and have it spawn and kill students' processes."""

import contextlib
import json
import math
import os
import signal
import socket
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from autograder.errors import GraderFault, SandboxUnavailable
from autograder.folders import own_folder
from autograder.sandbox.host import program
from autograder.sandbox.host.child import REPLY_SECONDS, Child, ExitReason, new_channel
from autograder.sandbox.limits import Isolation, Limits
from autograder.sandbox.readable import exposed

_CONFINED = "confined"  # the first message of a student's process, if confining it succeeded
SCARCE_MEMORY = 0.75  # of the limit: a crash beyond that is taken for a lack of memory
_START_SECONDS = 120.0  # on a machine that may be busy
_GRACE_SECONDS = 10  # of processor time: the grader looks at the clock, the kernel is its backstop


class WarmProcess(contextlib.AbstractContextManager["WarmProcess"]):
    """A process that forks a process for each student; see `guest.warm`.

    It belongs to the thread that starts it: when that thread ends, Linux kills it.
    """

    def __init__(
        self,
        level: Isolation,
        limits: Limits,
        preload: tuple[str, ...] = ("numpy",),
        service: str = "autograder.sandbox.guest.service",
        hidden: Iterable[Path] = (),
        files: Mapping[str, Path] | None = None,
    ) -> None:
        """Start the process; it imports `service` and `preload` in the background.

        Students' processes can't read the `hidden` paths. They find a copy of `files`, read-only,
        in the folder that they start in.
        """
        self.level, self.limits = level, limits
        self._imports = {"service": service, "preload": preload}
        # no more than necessary: a student's process needn't know where the other paths lie
        self._hidden = exposed(hidden)
        self._files = dict(files or {})
        self._children: dict[int, Child] = {}
        self._owner = os.getpid()
        self._is_started = False
        self._start()

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The id of a process that ends when the warm process ends."""
        return self._process.pid

    def be_ready(self) -> None:
        """Wait until it can fork, started anew if need be; else raise `SandboxUnavailable`.

        A process forked from its owner has other bounds, and may not start it: `GraderFault`.
        """
        try:
            if self._is_started and self.has_ended():
                if os.getpid() != self._owner:
                    raise GraderFault("The sandbox's warm process has ended: grade this again.")
                self.restart()
            if self._is_started:
                return
            self._is_started = True  # whether or not that succeeds: it is waited for only once
            reply = self._receive(_START_SECONDS)
        except OSError as error:
            raise GraderFault(f"A student's process can't be started: {error}.") from error
        if "error" in reply:
            self._end()
            raise SandboxUnavailable(f"The sandbox can't be set up here ({reply['error']}).")

    def restart(self) -> None:
        self.close()
        self._start()

    def spawn(self, seconds: float | None = None) -> Child:
        """Fork a process for one student, which may use `seconds` of the processor; it is confined.

        Raises `SandboxUnavailable` if this machine doesn't offer `level`.
        """
        self.be_ready()
        allowed = self.limits.notebook_seconds if seconds is None else seconds
        most = math.ceil(allowed) + _GRACE_SECONDS
        try:
            ours, theirs = new_channel()
        except OSError as error:
            raise GraderFault(f"A student's process can't be started: {error}.") from error
        kills = self._memory.kills if self._memory is not None else 0
        with theirs:
            cores = sorted(os.sched_getaffinity(0))  # it runs on our cores: the two take turns
            request = {"op": "spawn", "cores": cores, "seconds": most}
            pid = self._request(request, [theirs.fileno()])["pid"]
        child = self._children[pid] = Child(partial(self._reap, pid, most, kills), ours)
        status = child.receive_status()
        if status != _CONFINED:
            child.kill()
            raise SandboxUnavailable(f"A process can't be confined here ({status}).")
        return child

    def _reap(self, pid: int, most: int, kills: int) -> ExitReason:
        """Kill a student's process, if it hasn't ended yet; return how it ended.

        The kernel, which kills it after `most` seconds, had killed `kills` others for their memory.
        """
        del self._children[pid]
        try:
            end = self._request({"op": "kill", "pid": pid})
        except GraderFault:  # the warm process has ended, and with it the student's process
            return ExitReason.KILLED
        if self._memory is not None and self._memory.kills > kills:
            return ExitReason.MEMORY
        if end["code"] >= 0:
            return ExitReason.EXITED
        if end["code"] == -signal.SIGKILL:  # sent by us, or by the kernel
            if end["seconds"] >= most:
                return ExitReason.TIME
            return ExitReason.KILLED if end["alive"] else ExitReason.MEMORY
        # C code often aborts when an allocation fails
        is_scarce = end["grown_mb"] > SCARCE_MEMORY * self.limits.memory_mb
        return ExitReason.MEMORY if is_scarce else ExitReason.CRASHED

    def close(self) -> None:
        for child in list(self._children.values()):
            child.kill()
        if not self._is_started:  # it may still be importing, and nobody needs that any more
            self._end()
        self._resources.close()

    def has_ended(self) -> bool:
        """Tell whether it ended, or was killed; a process forked from its owner may ask, too."""
        self._control.settimeout(0)
        try:
            return not self._control.recv(1, socket.MSG_PEEK)
        except BlockingIOError:  # it is there, and says nothing unasked
            return False
        except OSError:
            return True

    def _end(self) -> None:
        self._process.kill()
        self._process.wait()

    def _start(self) -> None:
        with contextlib.ExitStack() as resources:
            own = resources.enter_context(own_folder())
            self._memory = program.memory_group(self.limits.memory_mb)
            if self._memory is not None:
                own.note_group(self._memory.folder)
                resources.callback(self._memory.close)
            scratch = str(own.path)
            self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                self._process = program.start(theirs, scratch)
            resources.callback(program.end, self._process, self._control)
            given = resources.enter_context(program.copies(self._files)) if self._files else ""
            uid = os.getuid() or program.uid_for(self._process.pid)
            os.chown(scratch, uid, -1)
            settings = self._imports | {"root": program.ROOT, "level": self.level, "uid": uid}
            settings |= {"hidden": self._hidden, "files": given, "limits": asdict(self.limits)}
            self._send(settings, [self._memory.members] if self._memory is not None else [])
            self._is_started = False
            self._resources = resources.pop_all()

    def _request(self, request: dict[str, Any], fds: Sequence[int] = ()) -> dict[str, Any]:
        with contextlib.suppress(OSError):  # it has ended: then no reply arrives either
            self._send(request, fds)
        return self._receive(REPLY_SECONDS)

    def _send(self, request: dict[str, Any], fds: Sequence[int]) -> None:
        socket.send_fds(self._control, [json.dumps(request).encode()], fds)

    def _receive(self, seconds: float) -> dict[str, Any]:
        self._control.settimeout(seconds)
        try:
            message = self._control.recv(4096)
            if not message:
                raise EOFError("it has ended")
        except (OSError, EOFError) as error:
            self._end()
            raise GraderFault(f"The sandbox's warm process doesn't answer: {error}.") from None
        return dict(json.loads(message))
