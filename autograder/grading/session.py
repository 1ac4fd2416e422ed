"""One submission in a sandboxed process, which is replaced when the student's code ends it.

An exercise is tested in the state in which its own cell left the process: the cells below it run
afterwards. A cell that ends the process or doesn't return in time costs the exercise that it
belongs to; the others continue in a fresh process, in which all cells but that one run again. If a
call ends the process, another cell may be to blame (through a thread, or a patched library), so the
call is retried in a process in which only the cells that its exercise needs have run.
"""

import contextlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from autograder.grading.dependencies import Dependencies
from autograder.grading.follow_through import Oracle
from autograder.grading.process import StudentProcess
from autograder.intake.notebook import CellRole
from autograder.intake.submission import Submission
from autograder.sandbox.limits import MAX_KEPT
from autograder.testing.failures import StudentFailure, StudentTimedOut
from autograder.testing.student import Channel

MAX_LOST_PROCESSES = 2  # by calls of one exercise: a call that loops once is likely to loop again
_MISSING_NAME = re.compile(r"name '(\w{1,80})' is not defined")


@dataclass
class SandboxSession:
    """Runs a submission's cells, and is the channel to what they define."""

    process: StudentProcess
    submission: Submission
    _exercise: str = ""  # the exercise that is being tested
    _only_for: str = ""  # the exercise that the process is reserved for, if any
    _requests: list[tuple[Mapping[str, Any], float | None]] = field(default_factory=list)
    _oracle: Oracle | None = None
    _lost_processes: Counter[str] = field(default_factory=Counter)

    @property
    def spent(self) -> float:
        """The student's seconds in calls of hidden tests."""
        return self.process.spent - self.process.spent_on_cells

    @property
    def exercises(self) -> tuple[str, ...]:
        """The exercises to test, in the notebook's order."""
        return self.process.exercises

    @cached_property
    def dependencies(self) -> Dependencies:
        """Which cells need which."""
        return Dependencies(self.submission.sources)

    def channel_of(self, exercise: str) -> Channel:
        """Return the channel for a test of `exercise`, to a process as its cell left it.

        Exercises are tested in the notebook's order: to go back takes a new process. If there is
        no such process, each request fails for the same reason.
        """
        if self._only_for not in ("", exercise):
            self.process.close()
        if exercise != self._exercise:  # what was kept of the last one is needed no more
            self.process.room = MAX_KEPT
        self._exercise, self._requests = exercise, []
        self._reach_exercise()
        return self

    def ask(self, request: Mapping[str, Any], seconds: float | None = None) -> dict[str, Any]:
        """Send a request for the exercise that is being tested; retry once if the process ends."""
        if left_out := self.process.left_out.get(self._exercise):
            raise left_out
        self._requests.append((request, seconds))
        try:
            reply = self.process.obtain(request, f"`{self._exercise}`", seconds)
        except StudentFailure as failure:
            self._note_lost_process(failure)
            if seconds is not None and type(failure) is StudentTimedOut:  # and not one that waited
                raise  # the long time limit of a slow test is granted only once
            reply = self._retry(failure)
        self._raise_if_missing(reply)
        return reply

    @contextlib.contextmanager
    def followed_through(self, exercise: str, oracle: Oracle) -> Iterator[None]:
        """Let `oracle` answer the calls of earlier exercises while `exercise` is tested again."""
        self._exercise, self.process.room = exercise, MAX_KEPT
        if self._lost_processes.pop(exercise, 0):  # an earlier exercise may have ended the process
            self.process.left_out.pop(exercise, None)
        self._switch_to(oracle)
        try:
            yield
        finally:
            self._switch_to(None)

    def finish(self) -> None:
        """Run the cells that have not run yet, which are below all exercises: for their output."""
        process, cells, seen = self.process, self.submission.sources, self.process.outputs.by_name
        while process.seconds_left > 0 and any(cell.name not in seen for cell in cells):
            if self._only_for or not process.is_running:
                self._start()
            process.run_cells()

    def close(self) -> None:
        """Kill the student's process."""
        self.process.close()

    def _reach_exercise(self) -> None:
        """Run cells until that of the exercise has just run, unless that one is left out."""
        process, exercise = self.process, self._exercise
        while process.stands_after != exercise and exercise not in process.left_out:
            if process.seconds_left <= 0:
                process.left_out[exercise] = process.time_is_up()
                return
            try:
                if not process.has_yet_to_run(exercise):
                    self._start(exercise if self._lost_processes[exercise] else "")
                if process.run_cells(until=exercise):
                    process.install(self._oracle, f"`{exercise}`")
            except StudentFailure as failure:
                self._note_lost_process(failure)

    def _start(self, only_for: str = "") -> None:
        """Start a new process for all exercises; or for one, with the cells that it needs."""
        self._only_for, cells = only_for, self.submission.sources
        if only_for:
            needed = self.dependencies.cells_of(only_for) | {only_for}
            cells = [each for each in cells if each.role is CellRole.SETUP or each.name in needed]
        self.process.start(cells)

    def _retry(self, failure: StudentFailure) -> dict[str, Any]:
        """Repeat all requests of this test in a new process; return the last reply."""
        self._reach_exercise()
        process, exercise = self.process, self._exercise
        try:
            if exercise in process.left_out:
                raise process.left_out[exercise]
            for request, seconds in self._requests:
                reply = process.obtain(request, f"`{exercise}`", seconds)
            if reply.get("error", {}).get("type") == "NameError":
                raise failure  # the second process lacks what the first one had
        except StudentFailure as again:
            self._note_lost_process(again)
            raise
        return reply

    def _note_lost_process(self, failure: StudentFailure) -> None:
        self.process.close()
        self._lost_processes[self._exercise] += 1
        if self._lost_processes[self._exercise] >= MAX_LOST_PROCESSES:
            self.process.left_out[self._exercise] = failure

    def _switch_to(self, oracle: Oracle | None) -> None:
        """Install the oracle in a process as the exercise left it; any other has to be replaced."""
        self._oracle = oracle
        if self.process.stands_after != self._exercise:
            self.process.close()
        try:
            self.process.install(oracle, f"`{self._exercise}`")
        except StudentFailure:
            self.process.close()  # the next channel starts a new one

    def _raise_if_missing(self, reply: Mapping[str, Any]) -> None:
        """Raise a `StudentFailure` if a name is missing since its cell is left out, or is below."""
        found = _MISSING_NAME.fullmatch(str(reply.get("error", {}).get("message"))[:120])
        name = found[1] if found else ""
        if reason := self.process.left_out.get(name):
            raise StudentFailure(f"This needs `{name}`, which was left out: {reason}")
        if name and self.dependencies.bound_later(name, self._exercise):
            raise StudentFailure(
                f"`{self._exercise}` uses `{name}`, which only a cell further down defines, so it "
                "isn't there when the notebook runs from top to bottom. Where should it stand?"
            )
