"""One submission in a sandboxed process, which is replaced when the student's code ends it.

A cell that ends the process or doesn't return in time costs the exercise that it belongs to; the
others continue in a fresh process, in which all cells but that one run again. If a call ends the
process, another cell may be to blame (through a thread, or a patched library), so the call is
retried in a process in which only the cells that its exercise needs have run.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from autograder.errors import GraderFault
from autograder.grading.follow_through import Oracle, uses
from autograder.intake.notebook import CellRole
from autograder.intake.submission import Submission, SubmittedCell
from autograder.report import CellOutput
from autograder.sandbox import wire
from autograder.sandbox.host.connection import Connection
from autograder.sandbox.host.launch import WarmProcess
from autograder.sandbox.limits import MAX_OUTPUT, Limits
from autograder.testing.failures import StudentFailure, StudentTimedOut, cell_error
from autograder.testing.student import Channel

MAX_LOST_PROCESSES = 2  # by calls of one exercise: a call that loops once is likely to loop again
MAX_TOTAL_OUTPUT = 10 * MAX_OUTPUT  # characters of output that are kept from all cells together


@dataclass(frozen=True)
class _FailedChannel:
    """A channel without a process: every request fails for the same reason."""

    failure: StudentFailure

    def ask(self, request: Mapping[str, Any], seconds: float | None = None) -> dict[str, Any]:
        """Raise the failure."""
        raise self.failure


@dataclass
class SandboxSession:
    """Runs a submission's cells and opens channels to what they define."""

    warm: WarmProcess
    submission: Submission
    exercises: tuple[str, ...]
    guarded: tuple[str, ...]
    limits: Limits
    outputs: dict[str, CellOutput] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    _process: Connection | None = None
    _only_for: str = ""  # the exercise that the process is reserved for, if any
    _exercise: str = ""  # the exercise that is being tested
    _requests: list[tuple[Mapping[str, Any], float | None]] = field(default_factory=list)
    _oracle: Oracle | None = None
    _left_out: dict[str, StudentFailure] = field(default_factory=dict)  # cells and exercises
    _lost_processes: Counter[str] = field(default_factory=Counter)
    _started: float = field(default_factory=time.monotonic)

    @cached_property
    def dependencies(self) -> dict[str, frozenset[str]]:
        """The earlier exercises that each exercise uses."""
        return uses(self.submission.answers)

    def channel_of(self, exercise: str) -> Channel:
        """Return a channel for a test of `exercise`."""
        if self._only_for not in ("", exercise):
            self.close()
        self._exercise, self._requests = exercise, []
        self._ensure_process()
        return _FailedChannel(self._left_out[exercise]) if exercise in self._left_out else self

    def ask(self, request: Mapping[str, Any], seconds: float | None = None) -> dict[str, Any]:
        """Send a request for the exercise that is being tested; retry once if the process ends."""
        self._requests.append((request, seconds))
        try:
            reply = self._ask_process(request, seconds)
        except StudentFailure as failure:
            self._note_lost_process(failure)
            if seconds is not None and isinstance(failure, StudentTimedOut):
                raise  # the long time limit of a slow test is granted only once
            reply = self._retry(failure)
        self._raise_if_left_out(reply)
        return reply

    def _retry(self, failure: StudentFailure) -> dict[str, Any]:
        """Repeat all requests of this test in a new process; return the last reply."""
        self._ensure_process()
        try:
            reply = [self._ask_process(*asked) for asked in self._requests][-1]
            if reply.get("error", {}).get("type") == "NameError":
                raise failure  # the second process lacks what the first one had
        except StudentFailure as again:
            self._note_lost_process(again)
            raise
        return reply

    def _ensure_process(self) -> None:
        """Start a process if there is none, unless the exercise is left out."""
        while self._process is None and self._exercise not in self._left_out:
            try:
                self._start(self._exercise if self._lost_processes[self._exercise] else "")
            except StudentFailure as failure:
                self._note_lost_process(failure)

    def _ask_process(self, request: Mapping[str, Any], seconds: float | None) -> dict[str, Any]:
        if self._process is None:
            raise self._left_out[self._exercise]
        allowed = self.limits.call_seconds if seconds is None else seconds
        return self._ask_in_time(self._process, request, allowed, f"`{self._exercise}`")

    def follow_through(self, exercise: str, oracle: Oracle) -> None:
        """From now on let `oracle` answer the calls of earlier exercises, to test `exercise`."""
        self._oracle = oracle
        if self._lost_processes.pop(exercise, 0):  # an earlier exercise may have ended the process
            self._left_out.pop(exercise, None)
            self.close()  # the current process was started without this exercise
        if self._process is not None:
            try:
                self._install_stand_ins(self._process)
            except StudentFailure:
                self.close()  # the next channel starts a new one

    def close(self) -> None:
        """Kill the student's process."""
        process, self._process, self._only_for = self._process, None, ""
        if process is not None:
            process.child.kill()

    def _ask_in_time(
        self, process: Connection, request: Mapping[str, Any], seconds: float, subject: str
    ) -> dict[str, Any]:
        """Send a request, limited to the time that is left for the notebook."""
        left = self._started + self.limits.notebook_seconds - time.monotonic()
        if left <= 0:
            raise StudentTimedOut("The notebook's time limit was reached before this could run.")
        return process.ask(request, min(seconds, left), subject)

    def _note_lost_process(self, failure: StudentFailure) -> None:
        self.close()
        self._lost_processes[self._exercise] += 1
        if self._lost_processes[self._exercise] >= MAX_LOST_PROCESSES:
            self._left_out[self._exercise] = failure

    def _start(self, only_for: str) -> None:
        """Run the cells in a new process; repeat without a cell that ends it, until one survives.

        `only_for` names the exercise that the process is reserved for; empty, it is for all.
        """
        while self._process is None:
            process = Connection(self.warm.spawn())
            try:
                self._guard(process)
                if self._run_cells(process, only_for):
                    self._install_stand_ins(process)
                    self._process, self._only_for = process, only_for
            finally:
                if self._process is not process:
                    process.child.kill()

    def _guard(self, process: Connection) -> None:
        """Guard built-ins. No student code has run yet, so a failure is the grader's fault."""
        request = {"op": "guard", "names": list(self.guarded)}
        try:
            reply = process.ask(request, self.limits.cell_seconds, "The empty process")
        except StudentFailure as failure:
            raise GraderFault(f"The sandbox doesn't work: {failure}") from None
        if "error" in reply:
            raise GraderFault(f"Built-ins can't be guarded: {reply['error'].get('message')}.")

    def _install_stand_ins(self, process: Connection) -> None:
        if self._oracle is not None:
            process.oracle = self._oracle
            request = {"op": "stand_in", "names": list(self._oracle.names)}
            self._ask_in_time(process, request, self.limits.call_seconds, f"`{self._exercise}`")

    def _cells(self, only_for: str) -> Iterator[SubmittedCell]:
        """Yield the cells to run: none that is left out, and only those that `only_for` needs."""
        needed = self.dependencies.get(only_for, frozenset()) if only_for else frozenset()
        for cell in self.submission.sources:
            is_needed = cell.role is CellRole.SETUP or cell.name in {only_for, *needed}
            if (is_needed or not only_for) and cell.name not in self._left_out:
                yield cell

    def _run_cells(self, process: Connection, only_for: str) -> bool:
        """Run the cells; if one ends the process, leave that cell out and return False."""
        look = {"op": "defined", "names": list(self.exercises)}
        reply: Mapping[str, Any] = {}
        for cell in self._cells(only_for):
            run = {"op": "run", "source": cell.cell.source}
            subject = _subject(cell)
            try:
                self._note_output(
                    cell, self._ask_in_time(process, run, self.limits.cell_seconds, subject)
                )
                # after every cell: if one has broken the channel, the next must not be blamed
                reply = self._ask_in_time(process, look, self.limits.call_seconds, subject)
            except wire.WireError:  # the source is too long to be sent
                self._leave_out(cell, StudentFailure(f"{subject} is too long to run: shorten it."))
                return False
            except StudentFailure as failure:
                self._leave_out(cell, failure)
                return False
        self._note_undefined(reply.get("value"), (only_for,) if only_for else self.exercises)
        return True

    def _leave_out(self, cell: SubmittedCell, failure: StudentFailure) -> None:
        self._left_out[cell.name] = failure
        self.outputs[cell.name] = CellOutput(cell=cell.name, error=str(failure))
        if cell.role is not CellRole.SOLUTION:
            self.warnings.append(f"{failure} This cell was left out of grading.")

    def _note_output(self, cell: SubmittedCell, reply: Mapping[str, Any]) -> None:
        if cell.name not in self.outputs:
            room = MAX_TOTAL_OUTPUT - sum(len(output.text) for output in self.outputs.values())
            text = str(reply.get("output", ""))[: min(room, MAX_OUTPUT)]
            error = cell_error(reply["error"]) if "error" in reply else ""
            self.outputs[cell.name] = CellOutput(cell=cell.name, text=text, error=error)

    def _note_undefined(self, defined: Any, names: tuple[str, ...]) -> None:
        """Leave out exercises that are undefined; warn about defined ones whose cell raised."""
        for name in names:
            output = self.outputs.get(name)
            error = output.error if output else ""
            if not isinstance(defined, list) or name not in defined:
                why = error or "Keep the name that you were given."
                self._left_out.setdefault(
                    name, StudentFailure(f"`{name}` is not defined after all cells have run. {why}")
                )
            elif error and name not in self._left_out:
                warning = f"`{name}`: {error} Only what was defined before that was graded."
                if warning not in self.warnings:
                    self.warnings.append(warning)

    def _raise_if_left_out(self, reply: Mapping[str, Any]) -> None:
        """Raise a `StudentFailure` if the reply's error is the name of a cell that is left out."""
        message = reply.get("error", {}).get("message")
        for name, reason in self._left_out.items():
            if message == f"name '{name}' is not defined":
                raise StudentFailure(f"This needs `{name}`, which was left out: {reason}")


def _subject(cell: SubmittedCell) -> str:
    return f"The cell of `{cell.name}`" if cell.cell.grade_id else "A cell that you added"
