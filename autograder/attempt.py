"""One submission at work in a sandboxed process, made anew when the student's code ends it.

A cell or a call that kills the process, or does not come back, costs the exercise that it belongs
to; the others go on in a fresh process, in which the cells run again without the deadly one.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from autograder.follow_through import Oracle
from autograder.notebook import Kind
from autograder.report import CellOutput
from autograder.sandbox import wire
from autograder.sandbox.launch import Child, Death, WarmProcess
from autograder.sandbox.limits import Limits
from autograder.student import (
    Channel,
    StudentDied,
    StudentFailure,
    StudentOutOfMemory,
    StudentRaised,
    StudentTimedOut,
)
from autograder.submission import Placed, Submission

_MAX_DEATHS = 2  # of one exercise's calls: what loops once will mostly loop again


@dataclass(frozen=True)
class _Silent:
    """A channel to nobody: every question fails for the same reason."""

    failure: StudentFailure

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Fail."""
        raise self.failure


@dataclass
class _Process:
    """A student's process and how to talk to it."""

    child: Child
    asked: int = 0
    oracle: Oracle | None = None

    def ask(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Return the reply; if there is none, end the process and raise why."""
        self.asked += 1
        try:
            return self._exchange(wire.pack({**request, "number": self.asked}), seconds)
        except TimeoutError:
            self.child.kill()
            raise StudentTimedOut(
                f"It didn't finish within {seconds:g} seconds. Look for a loop that never ends."
            ) from None
        except (OSError, EOFError):
            if self.child.kill() is Death.MEMORY:
                raise StudentOutOfMemory(
                    "It asked for more memory than there is. Look for an array that grows."
                ) from None
            raise StudentDied("It ended the whole Python process.") from None
        except wire.WireError:
            self.child.kill()
            raise StudentDied("It answered with something that is no answer.") from None

    def _exchange(self, frame: bytes, seconds: float) -> dict[str, Any]:
        deadline = time.monotonic() + seconds
        channel = self.child.socket

        def receive(size: int) -> bytes:
            data = bytearray()
            while len(data) < size:
                channel.settimeout(max(0.001, deadline - time.monotonic()))
                chunk = channel.recv(min(size - len(data), 1 << 20))
                if not chunk:
                    raise EOFError
                data += chunk
            return bytes(data)

        channel.settimeout(seconds)
        channel.sendall(frame)
        reply = wire.read_frame(receive)
        while self.oracle is not None and "ask" in reply:
            channel.sendall(wire.pack(self.oracle.answer(reply["ask"])))
            reply = wire.read_frame(receive)
        if reply.pop("number", None) != self.asked:
            raise wire.WireError("this answers another question")
        return reply


@dataclass
class Attempt:
    """Runs a submission's cells and opens channels to what they define."""

    warm: WarmProcess
    submission: Submission
    exercises: tuple[str, ...]
    guarded: tuple[str, ...]
    limits: Limits
    outputs: dict[str, CellOutput] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    _process: _Process | None = None
    _exercise: str = ""
    _oracle: Oracle | None = None
    _reasons: dict[str, StudentFailure] = field(default_factory=dict)  # cells and exercises lost
    _deaths: Counter[str] = field(default_factory=Counter)
    _started: float = field(default_factory=time.monotonic)

    def channel_of(self, exercise: str) -> Channel:
        """Return a channel for a test of `exercise`, to a new process if the last one died."""
        self._exercise = exercise
        if self._process is None and exercise not in self._reasons:
            self._start()
        if exercise in self._reasons:
            return _Silent(self._reasons[exercise])
        return self

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Ask on behalf of the exercise that is being tested."""
        if self._process is None:
            raise self._reasons.get(self._exercise) or StudentDied("It ended the Python process.")
        try:
            return self._process.ask(request, self.limits.call_seconds)
        except StudentFailure as failure:
            self._process = None
            self._deaths[self._exercise] += 1
            if self._deaths[self._exercise] >= _MAX_DEATHS:
                self._reasons[self._exercise] = failure
            raise

    def follow_through(self, exercise: str, oracle: Oracle) -> None:
        """From now on let `oracle` answer the calls of earlier exercises, to test `exercise`."""
        self._oracle = oracle
        if self._deaths.pop(exercise, 0):  # it may be the earlier exercise that ended the process
            self._reasons.pop(exercise, None)
        if self._process is not None:
            self._let_answer(self._process)

    def _let_answer(self, process: _Process) -> None:
        if self._oracle is not None:
            process.oracle = self._oracle
            request = {"op": "stand_in", "names": list(self._oracle.names)}
            process.ask(request, self.limits.call_seconds)

    def close(self) -> None:
        """End the student's process and all that it started."""
        if self._process is not None:
            self._process.child.kill()
            self._process = None

    def _start(self) -> None:
        """Run the cells in a new process; again without the cell that ends it, until one stands."""
        while self._process is None:
            if time.monotonic() - self._started > self.limits.notebook_seconds:
                spent = StudentTimedOut("The notebook's time was used up before this could be run.")
                self._reasons |= {e: spent for e in self.exercises if e not in self._reasons}
                return
            process = _Process(self.warm.spawn())
            try:
                process.ask({"op": "guard", "names": list(self.guarded)}, self.limits.cell_seconds)
                if self._run_cells(process):
                    self._let_answer(process)
                    self._note_undefined(process)
                    self._process = process
            except BaseException:
                process.child.kill()
                raise

    def _run_cells(self, process: _Process) -> bool:
        """Run all cells but those known to be deadly; tell whether the process survived them."""
        for placed in self.submission.sources:
            if placed.name in self._reasons:
                continue
            try:
                reply = process.ask(
                    {"op": "run", "source": placed.cell.source}, self.limits.cell_seconds
                )
            except StudentFailure as failure:
                self._lose(placed, failure)
                return False
            self._note_output(placed, reply)
        return True

    def _lose(self, placed: Placed, failure: StudentFailure) -> None:
        self._reasons[placed.name] = failure
        self.outputs[placed.name] = CellOutput(cell=placed.name, error=str(failure))
        if placed.kind is not Kind.SOLUTION:
            self.warnings.append(f"An added cell was left out when grading: {failure}")

    def _note_output(self, placed: Placed, reply: Mapping[str, Any]) -> None:
        error = reply.get("error")
        raised = str(StudentRaised("the cell", error)) if isinstance(error, dict) else ""
        self.outputs.setdefault(
            placed.name,
            CellOutput(cell=placed.name, text=str(reply.get("output", "")), error=raised),
        )

    def _note_undefined(self, process: _Process) -> None:
        """Give up exercises whose name leads nowhere; warn of cells that raised all the same."""
        reply = process.ask(
            {"op": "defined", "names": list(self.exercises)}, self.limits.call_seconds
        )
        value = reply.get("value")
        defined = value if isinstance(value, list) else []
        for name in self.exercises:
            output = self.outputs.get(name)
            error = output.error if output else ""
            if name not in defined:
                why = f" {error}" if error else " Keep the name as it was given."
                self._reasons.setdefault(
                    name, StudentFailure(f"After all cells ran there is no `{name}`.{why}")
                )
            elif error and name not in self._reasons:
                warning = f"`{name}`: {error} It was graded on what was defined before."
                if warning not in self.warnings:
                    self.warnings.append(warning)
