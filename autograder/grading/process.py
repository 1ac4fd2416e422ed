"""A sandboxed process in which a submission's cells run, in order, as far as they are needed.

A cell that ends the process or doesn't return in time is left out from then on. The time limits
count the student's seconds: not the start of the process, and not what the grader does meanwhile.
A cell that only waited, perhaps for a busy machine, is tried once more before it is left out.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from autograder.errors import GraderFault
from autograder.grading.follow_through import Oracle
from autograder.intake.notebook import CellRole
from autograder.intake.submission import SubmittedCell
from autograder.report import CellOutput
from autograder.sandbox import wire
from autograder.sandbox.host.child import NoReply
from autograder.sandbox.host.connection import Connection
from autograder.sandbox.host.launch import WarmProcess
from autograder.sandbox.limits import MAX_KEPT, MAX_OUTPUT, Limits
from autograder.testing.failures import (
    StudentFailure,
    StudentStalled,
    StudentTimedOut,
    cell_error,
    without_reply,
)

MAX_TOTAL_OUTPUT = 10 * MAX_OUTPUT  # characters of output that are kept from all cells together


@dataclass
class CellOutputs:
    """The output of each cell when it first ran, and what students should know of it."""

    by_name: dict[str, CellOutput] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def note(self, cell: SubmittedCell, reply: Mapping[str, Any]) -> None:
        """Keep the output in the reply to running `cell`, if it is the first."""
        if cell.name not in self.by_name:
            room = MAX_TOTAL_OUTPUT - sum(len(output.text) for output in self.by_name.values())
            text = str(reply.get("output", ""))[: min(room, MAX_OUTPUT)]
            error = cell_error(reply["error"]) if "error" in reply else ""
            self.by_name[cell.name] = CellOutput(cell=cell.name, text=text, error=error)

    def note_left_out(self, cell: SubmittedCell, failure: StudentFailure) -> None:
        """Keep why `cell` is not run again."""
        self.by_name[cell.name] = CellOutput(cell=cell.name, error=str(failure))
        if cell.role is not CellRole.SOLUTION:
            self._warn(f"{failure} This cell was left out of grading.")

    def failure_to_define(self, exercise: str, defined: Any) -> StudentFailure | None:
        """Return a failure if the exercise isn't `defined`; warn if it is and its cell raised."""
        error = self.by_name[exercise].error
        if not isinstance(defined, list) or exercise not in defined:
            why = error or "Keep the name that you were given."
            return StudentFailure(f"`{exercise}` is not defined after its cell has run. {why}")
        if error:
            self._warn(f"`{exercise}`: {error} Only what was defined before that was graded.")
        return None

    def _warn(self, warning: str) -> None:
        if warning not in self.warnings:
            self.warnings.append(warning)


@dataclass
class StudentProcess:
    """Runs cells, and sends requests to what they define; `close` and `start` replace it."""

    warm: WarmProcess
    exercises: tuple[str, ...]
    guarded: tuple[str, ...]
    limits: Limits
    outputs: CellOutputs = field(default_factory=CellOutputs)
    left_out: dict[str, StudentFailure] = field(default_factory=dict)  # cells and exercises
    spent: float = 0.0  # the student's seconds, in all processes so far
    spent_on_cells: float = 0.0  # of these
    room: int = MAX_KEPT  # bytes that replies may yet take, until those kept are given up
    stands_after: str = ""  # the exercise whose cell was the last to run
    _stalled: set[str] = field(default_factory=set)  # cells that didn't return in time once
    _connection: Connection | None = None
    _oracle: Oracle | None = None  # that answers in the process
    _waiting: deque[SubmittedCell] = field(default_factory=deque)  # cells that have not run yet

    @property
    def is_running(self) -> bool:
        """Whether there is a process."""
        return self._connection is not None

    @property
    def seconds_left(self) -> float:
        """The student's seconds that are left for the notebook."""
        return self.limits.notebook_seconds - self.spent

    def time_is_up(self) -> StudentTimedOut:
        """Return the failure of what can't run any more."""
        allowed = f"{self.limits.notebook_seconds:g} s"
        return StudentTimedOut(
            f"The notebook's time limit of {allowed} was reached before the end."
        )

    def start(self, cells: Iterable[SubmittedCell]) -> None:
        """Start a new process, in which `cells` are to run."""
        self.close()
        connection = Connection(self.warm.spawn(max(0.0, self.seconds_left)))
        try:
            self._guard(connection)
        except GraderFault:
            connection.child.kill()
            raise
        self._connection = connection
        self._waiting.extend(cell for cell in cells if cell.name not in self.left_out)

    def close(self) -> None:
        """Kill the process, if there is one."""
        connection, self._connection, self._oracle = self._connection, None, None
        self.stands_after = ""
        self._waiting.clear()
        if connection is not None:
            connection.child.kill()

    def obtain(
        self, request: Mapping[str, Any], subject: str, seconds: float | None = None
    ) -> dict[str, Any]:
        """Return the reply to a request, or raise a `StudentFailure`, which is about `subject`.

        `seconds` are those that it may take, if not the usual ones of a call; it may not take more
        than those that are left for the notebook.
        """
        connection, left = self._connection, self.seconds_left
        if connection is None or left <= 0:
            raise self.time_is_up()
        allowed = self.limits.call_seconds if seconds is None else seconds
        before, connection.room = connection.spent, self.room
        try:
            return connection.exchange(request, min(allowed, left))
        except NoReply as ended:
            failure = without_reply(ended, subject)
            if isinstance(failure, StudentTimedOut) and allowed > left:
                failure = self.time_is_up()
            raise failure from None
        finally:
            self.spent += connection.spent - before
            self.room = connection.room

    def has_yet_to_run(self, name: str) -> bool:
        """Tell whether the cell with that name is to run in this process, and hasn't yet."""
        return any(cell.name == name for cell in self._waiting)

    def run_cells(self, until: str = "") -> bool:
        """Run the waiting cells, up to that of the exercise `until`; tell whether all survived."""
        while self._waiting and not (until and self.stands_after == until):
            cell, before = self._waiting.popleft(), self.spent
            self.stands_after = ""
            try:
                defined = self._run(cell)
            except StudentFailure as failure:
                self.close()
                has_waited = isinstance(failure, StudentStalled)
                if not has_waited or cell.name in self._stalled:
                    self.left_out[cell.name] = failure
                    self.outputs.note_left_out(cell, failure)
                self._stalled.add(cell.name)
                return False
            finally:
                self.spent_on_cells += self.spent - before
            if cell.name in self.exercises:
                self.stands_after = cell.name
                if undefined := self.outputs.failure_to_define(cell.name, defined):
                    self.left_out.setdefault(cell.name, undefined)
        return True

    def install(self, oracle: Oracle | None, subject: str) -> None:
        """Let the oracle answer calls of what it stands in for; without one, remove stand-ins."""
        if self._connection is not None and self._oracle is not oracle:
            self._oracle, self._connection.answer = oracle, oracle.answer if oracle else None
            self.obtain({"op": "stand_in", "names": oracle.names if oracle else ()}, subject)

    def _guard(self, connection: Connection) -> None:
        """Guard built-ins. No student code has run yet, so a failure is the grader's fault."""
        request = {"op": "guard", "names": list(self.guarded)}
        try:
            reply = connection.exchange(request, self.limits.cell_seconds)
        except NoReply as ended:
            failure = without_reply(ended, "The empty process")
            raise GraderFault(f"The sandbox doesn't work: {failure}") from None
        if "error" in reply:
            raise GraderFault(f"Built-ins can't be guarded: {reply['error'].get('message')}.")

    def _run(self, cell: SubmittedCell) -> Any:
        """Run a cell; return the names among the exercises' that are defined then."""
        subject = f"The cell of `{cell.name}`" if cell.cell.grade_id else "A cell that you added"
        run = {"op": "run", "source": cell.cell.source}
        try:
            reply = self.obtain(run, subject, self.limits.cell_seconds)
        except wire.WireError:
            raise StudentFailure(f"{subject} is too long to run: shorten it.") from None
        self.outputs.note(cell, reply)
        # after every cell: if one has broken the channel, the next must not be blamed
        look = {"op": "defined", "names": list(self.exercises)}
        return self.obtain(look, subject).get("value")
