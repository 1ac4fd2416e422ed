"""Whole notebooks in, reports out: what a student's code does costs that student's points alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from autograder.course import Course
from autograder.errors import GraderFault
from autograder.grade import Grader, Settings
from autograder.report import ExerciseReport, Outcome, Report
from autograder.sandbox.isolation import Isolation, strongest
from autograder.sandbox.launch import WarmProcess
from autograder.sandbox.limits import Limits
from tests.grading import Graders, full, hand_in, messages, scores, solved

ASSIGNMENTS = ["hw1_attention", pytest.param("hw2_encoder", marks=pytest.mark.slow)]  # torch
LAST = "worked_example"  # no other exercise of hw1 needs it
SIGNATURE = "def worked_example(X, W_Q, W_K, W_V, token):"
BODY = f"import os, sys, time\n{SIGNATURE}\n    "


def with_slow_ones(deeds: Iterable[str]) -> list[Any]:
    """Mark as slow those deeds that only time can end, but the simplest."""
    slow = ("a patient fork bomb", "an endless loop that no signal ends", "a loop in C")
    return [pytest.param(deed, marks=pytest.mark.slow if deed in slow else ()) for deed in deeds]


def exercise(report: Report, name: str) -> ExerciseReport:
    return next(one for one in report.exercises if one.name == name)


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_the_solution_gets_full_marks_on_every_exercise(
    graders: Graders, level: Isolation, course: Course, assignment: str
) -> None:
    report = hand_in(graders(assignment, level), solved(course, assignment))
    assert scores(report) == full(report)
    assert {one.outcome for one in report.exercises} == {Outcome.PASSED}
    assert report.warnings == ()
    assert report.isolation == level


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_a_blank_release_scores_zero_and_was_not_attempted(
    graders: Graders, level: Isolation, assignment: str
) -> None:
    report = hand_in(graders(assignment, level), {})
    assert report.score == 0
    assert {one.outcome for one in report.exercises} == {Outcome.NOT_ATTEMPTED}


# What the cell of one exercise does before or instead of defining its function: what is said of it.
IN_THE_CELL = {
    "a loop that never ends": ("while True: pass", Outcome.TIMEOUT, "longer than 2.5 s"),
    "an exit of the process": (
        "import os\nos._exit(0)",
        Outcome.ERROR,
        "Look for a call of `exit`",
    ),
    "an exit of Python": ("import sys\nsys.exit(0)", Outcome.ERROR, "raised SystemExit"),
    "an invalid memory access": (
        "import ctypes\nctypes.string_at(0)",
        Outcome.ERROR,
        "crashed the whole Python process",
    ),
    "a fork bomb": ("import os\nwhile True: os.fork()", Outcome.ERROR, "not permitted"),
    "a patient fork bomb": (
        "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass",
        Outcome.TIMEOUT,
        "took longer",
    ),
    "files closed": (
        "import os\nos.closerange(0, 256)",
        Outcome.ERROR,
        "The cell of `worked_example`",
    ),
    "a syntax error": ("def worked_example(:", Outcome.ERROR, "raised SyntaxError in line 1"),
    "an endless loop that no signal ends": (
        "import signal\nfor s in range(1, 30):\n    try: signal.signal(s, signal.SIG_IGN)\n"
        "    except OSError: pass\nwhile True: pass",
        Outcome.TIMEOUT,
        "took longer",
    ),
}


@pytest.mark.parametrize("deed", with_slow_ones(IN_THE_CELL))
def test_a_deadly_cell_costs_its_own_exercise_alone(
    graders: Graders, level: Isolation, course: Course, deed: str
) -> None:
    source, outcome, said = IN_THE_CELL[deed]
    answers = solved(course, "hw1_attention")
    report = hand_in(graders("hw1_attention", level), answers | {LAST: source})
    assert scores(report) == full(report) | {LAST: 0}
    assert exercise(report, LAST).outcome is outcome
    assert said in messages(report, LAST)


IN_THE_FUNCTION = {
    "a loop that never ends": ("while True: pass", Outcome.TIMEOUT, "longer than 1.5 s"),
    "a loop in C": ("sum(iter(int, 1))", Outcome.TIMEOUT, "longer than 1.5 s"),
    "an exit of the process": ("os._exit(0)", Outcome.ERROR, "Look for a call of `exit`"),
    "an exit of Python": ("exit()", Outcome.ERROR, "`worked_example` raised"),
    "too large an array": ("np.ones((1 << 16, 1 << 16))", Outcome.MEMORY, "more memory than"),
    "a list that grows": (
        "kept = []\n    while True: kept.append(bytearray(1 << 24))",
        Outcome.MEMORY,
        "more memory than there is",
    ),
    "endless recursion": (
        "return worked_example(X, W_Q, W_K, W_V, token)",
        Outcome.ERROR,
        "raised RecursionError in line 3",
    ),
    "endless recursion in C": (
        "sys.setrecursionlimit(10**9)\n    a, b = [], []\n"
        "    for _ in range(200_000): a, b = [a], [b]\n    return a == b",
        Outcome.ERROR,
        "crashed the whole Python process. Look for a recursion",
    ),
    "nothing returned": ("pass", Outcome.FAILED, "None (is a `return` missing?)"),
    "too large a result": ("return np.zeros(9 << 20)", Outcome.ERROR, "too large to be sent"),
}


@pytest.mark.parametrize("deed", with_slow_ones(IN_THE_FUNCTION))
def test_a_deadly_function_costs_its_own_exercise_alone(
    graders: Graders, level: Isolation, course: Course, deed: str
) -> None:
    source, outcome, said = IN_THE_FUNCTION[deed]
    answers = solved(course, "hw1_attention")
    report = hand_in(graders("hw1_attention", level), answers | {LAST: BODY + source})
    assert scores(report) == full(report) | {LAST: 0}
    assert exercise(report, LAST).outcome is outcome
    assert said in messages(report, LAST)


HARMLESS = {
    "a flood of output": "print('x' * 10**8)",
    "a thread that never ends": "import threading\ndef loop():\n    while True: pass\n"
    "threading.Thread(target=loop, daemon=True).start()",
    "a thread that prints on": "import threading\ndef loop():\n    while True: print('more')\n"
    "threading.Thread(target=loop, daemon=True).start()",
    "magics and shell commands": "%matplotlib inline\n!pip install torch\n%pwd",
    "a picture": "plt.imshow([[1, 2]]); plt.show()",
    "standard streams closed": "import os, sys\nfor s in (sys.stdout, sys.stderr): s.close()\n"
    "for fd in range(3): os.close(fd)",
}


@pytest.mark.parametrize("deed", HARMLESS)
def test_what_stands_beside_a_right_answer_costs_nothing(
    graders: Graders, level: Isolation, course: Course, deed: str
) -> None:
    answers = solved(course, "hw1_attention")
    for name in ("softmax", LAST):
        busy = {name: f"{HARMLESS[deed]}\n{answers[name]}"}
        report = hand_in(graders("hw1_attention", level), answers | busy)
        assert scores(report) == full(report)
    assert all(len(cell.text) <= 20_000 for cell in report.cells)


def test_a_cell_that_raises_after_defining_is_graded_with_a_warning(
    graders: Graders, level: Isolation, course: Course
) -> None:
    answers = solved(course, "hw1_attention")
    late = answers["softmax"] + "\nsoftmax(nothing)"
    report = hand_in(graders("hw1_attention", level), answers | {"softmax": late})
    assert scores(report) == full(report)
    assert any("`softmax`: The cell raised NameError" in warning for warning in report.warnings)


@pytest.mark.parametrize("place", ["in a solution", "in a cell of one's own"])
def test_what_one_cell_leaves_behind_to_kill_others_costs_itself_alone(
    graders: Graders, level: Isolation, course: Course, place: str
) -> None:
    answers, trap = solved(course, "hw1_attention"), "np.exp = lambda *args: exit_now(0)"
    trap = f"import os\nexit_now = os._exit\n{trap}\n"
    grader = graders("hw1_attention", level)
    if place == "in a solution":
        report = hand_in(grader, answers | {LAST: trap + answers[LAST]})
        assert scores(report) == full(report) | {LAST: 0}
    else:
        report = hand_in(grader, answers, trap)
        assert scores(report) == full(report)


def test_what_needs_a_deadly_function_is_graded_without_it(
    graders: Graders, level: Isolation, course: Course
) -> None:
    answers = solved(course, "hw1_attention")
    deadly = {"softmax": "def softmax(x):\n    while True: pass"}
    report = hand_in(graders("hw1_attention", level), answers | deadly)
    assert scores(report) == full(report) | {"softmax": 0}
    assert exercise(report, LAST).followed_through


@pytest.mark.slow
@pytest.mark.parametrize(
    ("deed", "outcome"),
    [
        ("while True: pass", Outcome.TIMEOUT),
        ("return torch.zeros(1 << 16, 1 << 16)", Outcome.MEMORY),
        ("import os; os._exit(0)", Outcome.ERROR),
    ],
)
def test_a_deadly_module_costs_its_own_exercise_alone(
    graders: Graders, level: Isolation, course: Course, deed: str, outcome: Outcome
) -> None:
    answers, name = solved(course, "hw2_encoder"), "SelfAttention"
    deadly = answers[name] + f"\ndef deed(self, X):\n    {deed}\n{name}.forward = deed"
    report = hand_in(graders("hw2_encoder", level), answers | {name: deadly})
    assert scores(report) == full(report) | {name: 0}
    assert exercise(report, name).outcome is outcome


@pytest.mark.slow
def test_a_notebook_has_so_much_time_and_no_more(course: Course) -> None:
    limits = Limits(notebook_seconds=2)
    naps = [f"import time\ntime.sleep(0.5)  # {number}" for number in range(20)]
    with Grader(Settings(course, strongest(), limits=limits), "hw1_attention") as grader:
        report = hand_in(grader, solved(course, "hw1_attention"), *naps)
    assert {one.outcome for one in report.exercises} == {Outcome.TIMEOUT}
    assert "The notebook's time was used up" in messages(report, LAST)


def test_a_fault_of_the_sandbox_is_not_the_students(
    graders: Graders, level: Isolation, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(warm: WarmProcess) -> None:
        raise GraderFault("The sandbox is on fire.")

    grader = graders("hw1_attention", level)
    with monkeypatch.context() as patched:
        patched.setattr(WarmProcess, "spawn", fail)
        with pytest.raises(GraderFault, match="on fire"):
            hand_in(grader, {})
    assert hand_in(grader, {}).score == 0
