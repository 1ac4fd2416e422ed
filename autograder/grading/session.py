"""One submission in a sandboxed process, which is replaced when the student's code ends it.

An exercise is tested in the state in which its own cell left the process. A cell that ends the
process costs the exercise that it belongs to; all other cells run again in a fresh process. (One
that only waited is tried once more before.) If a call ends the process, another cell may be to
blame, so the call is retried where only the cells that its exercise needs have run.
"""

import contextlib
import math
import re
from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from autograder.errors import GraderFault, within_sentence
from autograder.grading.dependencies import Dependencies
from autograder.grading.follow_through import Oracle
from autograder.intake.code import is_cut_off
from autograder.intake.notebook import ANSWERED, CellRole
from autograder.intake.submission import Submission, SubmittedCell
from autograder.report import CellOutput
from autograder.sandbox import wire
from autograder.sandbox.host.child import NoReply
from autograder.sandbox.host.connection import Connection
from autograder.sandbox.host.launch import WarmProcess
from autograder.sandbox.limits import MAX_KEPT, MAX_OUTPUT, Isolation, Limits
from autograder.testing.failures import (
    StudentFailure,
    StudentStalled,
    StudentTimedOut,
    cell_error,
    missing_module,
    without_module,
    without_reply,
)
from autograder.testing.student import Channel, needs_files

MAX_LOST_PROCESSES = 2  # by calls of one exercise: a call that loops once is likely to loop again
MAX_TOTAL_OUTPUT = 10 * MAX_OUTPUT  # characters of output that are kept from all cells together
MAX_MISSING = 20  # cells of which it is told that they need a module which the grader lacks
_MISSING_NAME = re.compile(r"name '(\w{1,80})' is not defined")


@dataclass
class CellOutputs:
    """The output of each cell when it first ran, and what students should know of it."""

    by_name: dict[str, CellOutput] = field(default_factory=dict)
    warnings: dict[str, None] = field(default_factory=dict)  # in order, each once
    missing: dict[str, str] = field(default_factory=dict)  # modules, by the cell that needs them

    def note_missing(self, name: str, reply: Mapping[str, Any]) -> None:
        """Keep which module the cell `name` asked for, if the grader lacks one."""
        module = missing_module(reply.get("error", {}))
        if module and len(self.missing) < MAX_MISSING:
            self.missing[name] = module

    def note(self, cell: SubmittedCell, reply: Mapping[str, Any]) -> None:
        self.note_missing(cell.name, reply)
        if cell.name not in self.by_name:
            room = MAX_TOTAL_OUTPUT - sum(len(output.text) for output in self.by_name.values())
            text = reply["output"][: min(room, MAX_OUTPUT)]
            error = cell_error(reply["error"]) if "error" in reply else ""
            self.by_name[cell.name] = CellOutput(cell=cell.name, text=text, error=error)

    def note_left_out(self, cell: SubmittedCell, failure: StudentFailure) -> None:
        self.by_name[cell.name] = CellOutput(cell=cell.name, error=str(failure))
        if cell.role not in ANSWERED:
            self.warnings[f"{failure} This cell was left out of grading."] = None

    def failure_to_define(self, exercise: str, defined: list[str]) -> StudentFailure | None:
        """Return a failure if the exercise isn't `defined`; warn if it is and its cell raised."""
        error = self.by_name[exercise].error
        if exercise not in defined:
            if module := self.missing.get(exercise):
                return StudentFailure(without_module(module))
            why = error or "Keep the name that you were given."
            return StudentFailure(f"`{exercise}` is not defined after its cell has run. {why}")
        if error:
            warning = f"`{exercise}`: {error} Only what was defined before that was graded."
            self.warnings[warning] = None
        return None


@dataclass
class SandboxSession:
    """Runs a submission's cells, and is the channel to what they define."""

    warm: WarmProcess
    submission: Submission
    exercises: tuple[str, ...]  # to test, in the notebook's order
    guarded: tuple[str, ...]  # built-ins that can be forbidden
    limits: Limits
    oracle: Oracle | None = None  # that answers calls of earlier exercises in their place, if any
    outputs: CellOutputs = field(default_factory=CellOutputs)
    _left_out: dict[str, StudentFailure] = field(default_factory=dict)  # cells, and why
    _stalled: set[str] = field(default_factory=set)  # cells that didn't return in time once
    _lost_processes: Counter[str] = field(default_factory=Counter)  # by calls of an exercise
    _only_needed: bool = False  # whether each process is for one exercise alone from the start
    _seconds_of_cells: float = 0.0  # the student's
    # of all cells and calls, by what a sentence calls them
    _seconds_of: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    _exercise: str = ""  # the exercise that is being tested
    _requests: list[tuple[Mapping[str, Any], float | None]] = field(default_factory=list)
    _room: int = MAX_KEPT  # bytes that replies about this exercise may yet take in memory
    # about the process that is running, if any
    _connection: Connection | None = None
    _waiting: deque[SubmittedCell] = field(default_factory=deque)  # cells that have not run yet
    _stands_after: str = ""  # the exercise whose cell was the last to run
    _only_for: str = ""  # the exercise that it is reserved for, if any

    @property
    def spent(self) -> float:
        """The student's seconds in calls of hidden tests."""
        return self._seconds - self._seconds_of_cells

    @property
    def _seconds(self) -> float:
        """The student's seconds in all; a session with an oracle adds its own to them."""
        return sum(self._seconds_of.values())

    @cached_property
    def dependencies(self) -> Dependencies:
        return Dependencies(self.submission.sources)

    def channel_of(self, exercise: str) -> Channel:
        """Return the channel for a test of `exercise`, to a process as its own cell left it."""
        if self._only_for not in ("", exercise):
            self.close()
        if exercise != self._exercise:  # what was kept of the last one is needed no more
            self._room = MAX_KEPT
        self._exercise, self._requests = exercise, []
        self._reach_exercise()
        return self

    def ask(self, request: Mapping[str, Any], seconds: float | None = None) -> dict[str, Any]:
        """Send a request for the exercise that is being tested; retry once if the process ends."""
        if left_out := self._left_out.get(self._exercise):
            raise left_out
        if self.warm.level is Isolation.LOCKDOWN and needs_files(request):
            raise GraderFault(
                "At the level lockdown no files can be written, as a hidden test of "
                f"{self._exercise} asks for: grade where `autograder doctor` finds another level."
            )
        self._requests.append((request, seconds))
        try:
            reply = self._obtain(request, f"`{self._exercise}`", seconds)
        except StudentFailure as failure:
            self._note_lost_process(failure)
            if seconds is not None and type(failure) is StudentTimedOut:  # and not one that waited
                raise  # the long time limit of a slow test is granted only once
            reply = self._retry(failure)
        if "error" in reply:
            self.outputs.note_missing(self._exercise, reply)
            self._raise_if_cut_off(reply["error"])
            self._raise_if_missing(reply["error"])
        return reply

    @contextlib.contextmanager
    def with_oracle(self, oracle: Oracle, exercises: Collection[str]) -> Iterator["SandboxSession"]:
        """Yield a session to test `exercises` in, where `oracle` stands in for earlier ones."""
        session = self._another(
            oracle=oracle,
            _left_out={n: why for n, why in self._left_out.items() if n not in exercises},
            _lost_processes=Counter(),
        )
        try:
            yield session
        finally:
            session.close()
            self._seconds_of_cells = session._seconds_of_cells

    @contextlib.contextmanager
    def apart(
        self,
        exercise: str,
        seconds: float = math.inf,
        call_seconds: float = math.inf,
        *,
        only_needed: bool = False,
    ) -> Iterator["SandboxSession"]:
        """Yield a session to try changes to the answer to `exercise` in, within the time limits.

        With `only_needed` no cells run but those that the exercise needs, which is quick, though
        its tests may ask for others, too.
        """
        limits = replace(
            self.limits,
            notebook_seconds=min(seconds, self._seconds_left),
            call_seconds=min(call_seconds, self.limits.call_seconds),
        )
        session = self._another(
            limits=limits,
            _left_out=dict(self._left_out),
            _stalled=set(self._stalled),
            _lost_processes=Counter(),
            _only_needed=only_needed,
            _seconds_of=defaultdict(float),
        )
        try:
            yield session
        finally:
            session.close()
            self._seconds_of["changes"] += session._seconds

    def _another(self, **different: Any) -> "SandboxSession":
        """Return a session with the same submission, in place of this one until it is closed."""
        self.close()  # the memory for two processes may not be there
        return replace(self, outputs=CellOutputs(), _exercise="", _waiting=deque(), **different)

    def channel_to(self, exercise: str, source: str) -> Channel:
        """Return a channel to `exercise` as another `source` defines it, which is plain Python.

        Raises a `StudentFailure` if that raises, or ends the process.
        """
        self.channel_of(exercise)
        if left_out := self._left_out.get(exercise):
            raise left_out
        self._room = MAX_KEPT  # what was kept of the last change is needed no more
        changed = _Changed(self, f"`{exercise}`")
        reply = changed.ask({"op": "run", "source": source, "plain": True})
        if "error" in reply:
            raise StudentFailure(f"`{exercise}` can't be defined so.")
        return changed

    def finish(self) -> None:
        """Run the cells that have not run yet, which are below all exercises: for their output."""
        cells, seen = self.submission.sources, self.outputs.by_name
        while self._seconds_left > 0 and any(cell.name not in seen for cell in cells):
            if self._only_for or self._connection is None:
                self._start()
            self._run_cells()

    def close(self) -> None:
        connection, self._connection = self._connection, None
        self._stands_after = ""
        self._waiting.clear()
        if connection is not None:
            connection.child.kill()

    def _reach_exercise(self) -> None:
        """Run cells until that of the exercise has just run, unless that one is left out."""
        exercise = self._exercise
        while self._stands_after != exercise and exercise not in self._left_out:
            if self._seconds_left <= 0:
                self._left_out[exercise] = self._time_is_up()
                return
            try:
                if not any(cell.name == exercise for cell in self._waiting):
                    is_alone = self._only_needed or self._lost_processes[exercise]
                    self._start(exercise if is_alone else "")
                self._run_cells(until=exercise)
            except StudentFailure as failure:
                self._note_lost_process(failure)

    def _start(self, only_for: str = "") -> None:
        """Start a new process for all exercises; or for one, with the cells that it needs."""
        self.close()
        answer, answered = (self.oracle.answer, self.oracle.names) if self.oracle else (None, ())
        self._connection = Connection(self.warm.spawn(max(0.0, self._seconds_left)), answer)
        self._guard(self._connection)
        self._only_for = only_for
        needed = self.dependencies.cells_of(only_for) | {only_for}
        self._waiting.extend(
            cell
            for cell in self.submission.sources
            if not only_for or cell.role is CellRole.SETUP or cell.name in needed
            if cell.name not in self._left_out or cell.name in answered
        )

    def _guard(self, connection: Connection) -> None:
        """Guard built-ins. No student code has run yet, so a failure is the grader's fault."""
        request = {"op": "guard", "names": list(self.guarded)}
        try:
            reply = connection.exchange(request, self.limits.cell_seconds)
        except NoReply as ended:
            failure = without_reply(ended, "The empty process")
            raise GraderFault(f"The sandbox doesn't work: {failure}") from None
        if "error" in reply:
            raise GraderFault(f"Built-ins can't be guarded: {reply['error']['message']}.")

    def _run_cells(self, until: str = "") -> None:
        """Run the waiting cells, up to that of the exercise `until`, while the process lives."""
        while self._waiting and not (until and self._stands_after == until):
            cell, before = self._waiting.popleft(), self._seconds
            above, self._stands_after = self._stands_after, ""
            try:
                defined = self._run(cell, above)
            except StudentFailure as failure:
                self.close()
                if cell.name in self._stalled or not isinstance(failure, StudentStalled):
                    self._left_out[cell.name] = failure
                    self.outputs.note_left_out(cell, failure)
                self._stalled.add(cell.name)
                return
            finally:
                self._seconds_of_cells += self._seconds - before
            if cell.name in self.exercises:
                self._stands_after = cell.name
                if undefined := self.outputs.failure_to_define(cell.name, defined):
                    self._left_out.setdefault(cell.name, undefined)

    def _run(self, cell: SubmittedCell, above: str) -> list[str]:
        """Run a cell, below that of the exercise `above`; return which exercises are defined."""
        subject, is_given = cell.title, cell.role is CellRole.SETUP
        if self.oracle and above in self.oracle.names:
            is_module = self.oracle.is_module(above)
            self._obtain({"op": "stand_in", "name": above, "is_module": is_module}, subject)
        source = "" if cell.name in self._left_out else cell.cell.source
        run = {"op": "run", "source": source, "given": is_given}
        try:
            reply = self._obtain(run, subject, self.limits.cell_seconds)
        except wire.WireError:
            raise StudentFailure(f"{subject} is too long to run: shorten it.") from None
        self.outputs.note(cell, reply)
        # after every cell: if one has broken the channel, the next must not be blamed
        look = {"op": "defined", "names": list(self.exercises)}
        defined: list[str] = self._obtain(look, subject).get("value", [])
        return defined

    def _obtain(
        self, request: Mapping[str, Any], subject: str, seconds: float | None = None
    ) -> dict[str, Any]:
        """Return the reply within `seconds`, or raise a `StudentFailure` about `subject`."""
        connection, left = self._connection, self._seconds_left
        if connection is None or left <= 0:
            raise self._time_is_up()
        allowed = self.limits.call_seconds if seconds is None else seconds
        before, connection.room = connection.spent, self._room
        try:
            return connection.exchange(request, min(allowed, left))
        except NoReply as ended:
            failure = without_reply(ended, subject)
            if isinstance(failure, StudentTimedOut) and allowed > left:
                failure = self._time_is_up()
            raise failure from None
        finally:
            self._seconds_of[subject] += connection.spent - before
            self._room = connection.room

    @property
    def _seconds_left(self) -> float:
        return self.limits.notebook_seconds - self._seconds

    def _time_is_up(self) -> StudentTimedOut:
        allowed = self.limits.notebook_seconds
        said = f"The notebook's time limit of {allowed:g} s was reached before the end"
        for subject, seconds in self._seconds_of.items():
            if seconds > allowed / 2 and "`" in subject:  # all other cells have one title
                said += f": {within_sentence(subject)} took more than half of it"
        return StudentTimedOut(f"{said}.")

    def _retry(self, failure: StudentFailure) -> dict[str, Any]:
        """Repeat all requests of this test in a new process; return the last reply."""
        self._reach_exercise()
        try:
            if self._exercise in self._left_out:
                raise self._left_out[self._exercise]
            for request, seconds in self._requests:
                reply = self._obtain(request, f"`{self._exercise}`", seconds)
            if reply.get("error", {}).get("type") == "NameError":
                raise failure  # the second process lacks what the first one had
        except StudentFailure as again:
            self._note_lost_process(again)
            raise
        return reply

    def _note_lost_process(self, failure: StudentFailure) -> None:
        self.close()
        self._lost_processes[self._exercise] += 1
        if self._lost_processes[self._exercise] >= MAX_LOST_PROCESSES:
            self._left_out[self._exercise] = failure

    def _raise_if_cut_off(self, error: Mapping[str, Any]) -> None:
        """Raise a `StudentFailure` if the stub's `raise` stands above the student's own code."""
        exercise, line = self._exercise, error["line"]
        is_stubs = (error["type"], error["function"]) == ("NotImplementedError", exercise)
        if is_stubs and line and is_cut_off(self.submission.answers[exercise], line):
            raise StudentFailure(
                f"`{exercise}` stops at the `raise NotImplementedError` in line {line} of its "
                "cell. Delete that line: your code stands below it."
            )

    def _raise_if_missing(self, error: Mapping[str, Any]) -> None:
        """Raise a `StudentFailure` if a name is missing since its cell is left out, or is below."""
        found = _MISSING_NAME.fullmatch(error["message"][:120])  # another text may quote this
        name = found[1] if found else ""
        if reason := self._left_out.get(name):
            raise StudentFailure(f"This needs `{name}`, which was left out: {reason}")
        if name and self.dependencies.bound_later(name, self._exercise):
            raise StudentFailure(
                f"`{self._exercise}` uses `{name}`, which only a cell further down defines, so it "
                "isn't there when the notebook runs from top to bottom. Where should it stand?"
            )
        asked = self.dependencies.bound_above(name, self._exercise) if name else None
        if asked and (module := self.outputs.missing.get(asked.name)):
            raise StudentFailure(without_module(module))


@dataclass
class _Changed:
    """A channel to changed code, which isn't asked again if its process ends."""

    session: SandboxSession
    subject: str

    @property
    def spent(self) -> float:
        return self.session.spent

    def ask(self, request: Mapping[str, Any], seconds: float | None = None) -> dict[str, Any]:
        try:
            return self.session._obtain(request, self.subject, seconds)
        except StudentFailure:
            self.session.close()
            raise
