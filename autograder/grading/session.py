"""One submission at work in a sandboxed process, made anew when the student's code ends it.

A cell that kills the process, or does not come back, costs the exercise that it belongs to; the
others go on in a fresh process, in which all cells but the deadly one run again. A call that does
so may suffer for what another cell left behind (a thread, a patched library), so it gets a second
chance in a process in which nothing has run but what its exercise needs.
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

_MAX_DEATHS = 2  # of one exercise's calls: what loops once will mostly loop again
_MAX_OUTPUTS = 10 * MAX_OUTPUT  # characters of all cells' output that are kept


@dataclass(frozen=True)
class _NoProcess:
    """A channel to nobody: every question fails for the same reason."""

    failure: StudentFailure

    def ask(self, request: Mapping[str, Any], seconds: float | None = None) -> dict[str, Any]:
        """Fail."""
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
    _only_for: str = ""  # the only exercise that the process is for, if there is one
    _exercise: str = ""
    _asked: list[tuple[Mapping[str, Any], float | None]] = field(default_factory=list)
    _oracle: Oracle | None = None
    _reasons: dict[str, StudentFailure] = field(default_factory=dict)  # cells and exercises lost
    _deaths: Counter[str] = field(default_factory=Counter)
    _started: float = field(default_factory=time.monotonic)

    @cached_property
    def dependencies(self) -> dict[str, frozenset[str]]:
        """Which earlier exercises each one uses."""
        return uses(self.submission.answers)

    def channel_of(self, exercise: str) -> Channel:
        """Return a channel for a test of `exercise`."""
        if self._only_for not in ("", exercise):
            self.close()
        self._exercise, self._asked = exercise, []
        self._make_ready()
        return _NoProcess(self._reasons[exercise]) if exercise in self._reasons else self

    def ask(self, request: Mapping[str, Any], seconds: float | None = None) -> dict[str, Any]:
        """Ask on behalf of the exercise that is being tested."""
        self._asked.append((request, seconds))
        try:
            reply = self._put(request, seconds)
        except StudentFailure as failure:
            self._note_death(failure)
            if seconds is not None and isinstance(failure, StudentTimedOut):
                raise  # a test that is given long is not given it twice
            reply = self._ask_again(failure)
        self._look_for_lost_names(reply)
        return reply

    def _ask_again(self, failure: StudentFailure) -> dict[str, Any]:
        """Ask all that this test has asked once more, of a new process; return the last reply."""
        self._make_ready()
        try:
            reply = [self._put(*asked) for asked in self._asked][-1]
            if reply.get("error", {}).get("type") == "NameError":
                raise failure  # the second process lacks what the first one had
        except StudentFailure as again:
            self._note_death(again)
            raise
        return reply

    def _make_ready(self) -> None:
        """See to it that there is a process, or a reason why there is none."""
        while self._process is None and self._exercise not in self._reasons:
            try:
                self._start(self._exercise if self._deaths[self._exercise] else "")
            except StudentFailure as failure:
                self._note_death(failure)

    def _put(self, request: Mapping[str, Any], seconds: float | None) -> dict[str, Any]:
        if self._process is None:
            raise self._reasons[self._exercise]
        allowed = self.limits.call_seconds if seconds is None else seconds
        return self._ask(self._process, request, allowed, f"`{self._exercise}`")

    def follow_through(self, exercise: str, oracle: Oracle) -> None:
        """From now on let `oracle` answer the calls of earlier exercises, to test `exercise`."""
        self._oracle = oracle
        if self._deaths.pop(exercise, 0):  # it may be the earlier exercise that ended the process
            self._reasons.pop(exercise, None)
            self.close()  # a process that was made without it
        if self._process is not None:
            try:
                self._let_answer(self._process)
            except StudentFailure:
                self.close()  # the next channel leads to another

    def close(self) -> None:
        """End the student's process and all that it started."""
        process, self._process, self._only_for = self._process, None, ""
        if process is not None:
            process.child.kill()

    def _ask(
        self, process: Connection, request: Mapping[str, Any], seconds: float, subject: str
    ) -> dict[str, Any]:
        """Ask within the time that is left of the notebook's."""
        left = self._started + self.limits.notebook_seconds - time.monotonic()
        if left <= 0:
            raise StudentTimedOut("The notebook's time was used up before this could be run.")
        return process.ask(request, min(seconds, left), subject)

    def _note_death(self, failure: StudentFailure) -> None:
        self.close()
        self._deaths[self._exercise] += 1
        if self._deaths[self._exercise] >= _MAX_DEATHS:
            self._reasons[self._exercise] = failure

    def _start(self, only_for: str) -> None:
        """Run the cells in a new process, again without the one that ends it, until one stands.

        `only_for` names an exercise that the process is for; empty, it is for all.
        """
        while self._process is None:
            process = Connection(self.warm.spawn())
            try:
                self._prepare(process)
                if self._run_cells(process, only_for):
                    self._let_answer(process)
                    self._process, self._only_for = process, only_for
            finally:
                if self._process is not process:
                    process.child.kill()

    def _prepare(self, process: Connection) -> None:
        """Guard built-ins; nothing of the student's has run yet: what fails here is our fault."""
        request = {"op": "guard", "names": list(self.guarded)}
        try:
            reply = process.ask(request, self.limits.cell_seconds, "The empty process")
        except StudentFailure as failure:
            raise GraderFault(f"The sandbox is out of order: {failure}") from None
        if "error" in reply:
            raise GraderFault(f"Built-ins can't be guarded: {reply['error'].get('message')}.")

    def _let_answer(self, process: Connection) -> None:
        if self._oracle is not None:
            process.oracle = self._oracle
            request = {"op": "stand_in", "names": list(self._oracle.names)}
            self._ask(process, request, self.limits.call_seconds, f"`{self._exercise}`")

    def _cells(self, only_for: str) -> Iterator[SubmittedCell]:
        """Yield the cells to run: none that is lost, and none that `only_for` doesn't need."""
        needed = self.dependencies.get(only_for, frozenset()) if only_for else frozenset()
        for cell in self.submission.sources:
            wanted = not only_for or cell.role is CellRole.SETUP or cell.name in {only_for, *needed}
            if wanted and cell.name not in self._reasons:
                yield cell

    def _run_cells(self, process: Connection, only_for: str) -> bool:
        """Run the cells; tell whether the process survived them, and lose the one it did not."""
        look = {"op": "defined", "names": list(self.exercises)}
        reply: Mapping[str, Any] = {}
        for cell in self._cells(only_for):
            run = {"op": "run", "source": cell.cell.source}
            subject = _subject(cell)
            try:
                self._note_output(cell, self._ask(process, run, self.limits.cell_seconds, subject))
                # asked behind every cell: one that broke the channel is not to harm the next
                reply = self._ask(process, look, self.limits.call_seconds, subject)
            except wire.WireError:  # nothing was sent
                self._lose(cell, StudentFailure(f"{subject} is too long to be run: shorten it."))
                return False
            except StudentFailure as failure:
                self._lose(cell, failure)
                return False
        self._note_undefined(reply.get("value"), (only_for,) if only_for else self.exercises)
        return True

    def _lose(self, cell: SubmittedCell, failure: StudentFailure) -> None:
        self._reasons[cell.name] = failure
        self.outputs[cell.name] = CellOutput(cell=cell.name, error=str(failure))
        if cell.role is not CellRole.SOLUTION:
            self.warnings.append(f"{failure} It was left out when grading.")

    def _note_output(self, cell: SubmittedCell, reply: Mapping[str, Any]) -> None:
        if cell.name not in self.outputs:
            room = _MAX_OUTPUTS - sum(len(output.text) for output in self.outputs.values())
            text = str(reply.get("output", ""))[: min(room, MAX_OUTPUT)]
            error = cell_error(reply["error"]) if "error" in reply else ""
            self.outputs[cell.name] = CellOutput(cell=cell.name, text=text, error=error)

    def _note_undefined(self, defined: Any, names: tuple[str, ...]) -> None:
        """Give up exercises whose name leads nowhere; warn of cells that raised all the same."""
        for name in names:
            output = self.outputs.get(name)
            error = output.error if output else ""
            if not isinstance(defined, list) or name not in defined:
                why = error or "Keep the name as it was given."
                self._reasons.setdefault(
                    name, StudentFailure(f"After all cells ran there is no `{name}`. {why}")
                )
            elif error and name not in self._reasons:
                warning = f"`{name}`: {error} It was graded on what was defined before."
                if warning not in self.warnings:
                    self.warnings.append(warning)

    def _look_for_lost_names(self, reply: Mapping[str, Any]) -> None:
        """Raise if the reply says no more than that a name is gone which was given up."""
        said = reply.get("error", {}).get("message")
        for name, reason in self._reasons.items():
            if said == f"name '{name}' is not defined":
                raise StudentFailure(f"It needs `{name}`, which had to be left out: {reason}")


def _subject(cell: SubmittedCell) -> str:
    return f"The cell of `{cell.name}`" if cell.cell.grade_id else "A cell of your own"
