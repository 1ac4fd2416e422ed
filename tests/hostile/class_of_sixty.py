"""A class of 60 honest submissions; the same with 20 insiders among them, and with ten slow ones.

What the honest get must not differ by a byte.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from rich import box
from rich.console import Console
from rich.table import Table

from autograder.sandbox.host.probe import strongest
from autograder.work.processes import usable_cores
from tests.hostile.cases import STUDENT, Case, catalogue
from tests.hostile.school import HONEST, School, whole
from tests.hostile.steps import Step, run
from tests.hostile.trials import MOST_GRADER
from tests.hostile.witness import Witness
from tests.processes import adopt_orphans

ASSIGNMENT = "hw1_attention"
STUDENTS = 60
_MOST_SECONDS = 1800.0  # that anything is waited for
_NAP = 0.9 * MOST_GRADER.call_seconds  # which no single call is ended for
# What a right answer does before it answers, so that it holds a worker for as long as it can.
_DALLIES = (
    f"time.sleep({_NAP})",
    f"for _ in range({_NAP * 1000:.0f}): time.sleep(0.001)",
    f"select.select([], [], [], {_NAP})",
    f"threading.Event().wait({_NAP})",
    f"while time.process_time() < computed + {_NAP}: pass",
    f"while time.monotonic() < begun + {_NAP}: time.sleep(0.01); sum(range(100_000))",
)
_SOFTMAX = """
import select, threading, time
def softmax(x, axis=-1):
    begun, computed = time.monotonic(), time.process_time()
    {}
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
"""
_SLOW_ONES_OF_THE_CATALOGUE = (
    "a loop that never ends, in a function",
    "a loop in C that lets nothing else run",
    "an answer, byte by byte",
    "a wait for a signal, a lock, a person",
)


@dataclass(frozen=True)
class Graded:
    """A class that was handed in and given back: the steps, and each student's report and page."""

    steps: list[Step]
    files: dict[str, tuple[bytes, bytes]]


def try_class(console: Console) -> bool:
    """Grade the classes, print what came of them; tell whether anything is to be mended."""
    adopt_orphans()
    insiders = [case for case in catalogue() for _ in range(case.of_sixty)]
    classes = {"all honest": [], f"{len(insiders)} insiders": insiders, "10 slow": _slow_ones()}
    school = School(ASSIGNMENT, strongest())
    witness = Witness(school.course, ASSIGNMENT)
    try:
        graded = {
            title: _grade(school, _spread(hostile), witness) for title, hostile in classes.items()
        }
    finally:
        witness.close()
        school.close()
    _show({title: each.steps for title, each in graded.items()}, console)
    alone, jobs = graded.pop("all honest"), usable_cores()
    is_bad = False
    for title, each in graded.items():
        honest = {name for name in alone.files if name in each.files}
        hurt = honest - whole(each.steps[0])
        differ = {name for name in honest if each.files[name] != alone.files[name]}
        seconds = each.steps[0].seconds
        bound = len(classes[title]) * MOST_GRADER.notebook_seconds / jobs
        allowed = 2 * alone.steps[0].seconds + bound
        console.print(
            f"{title}: of {len(honest)} honest submissions {len(hurt)} lost points, {len(differ)} "
            f"got another report or page; graded in {seconds:.0f} s, {allowed:.0f} s would be too "
            "long"
        )
        is_bad |= bool(hurt or differ) or len(honest) != STUDENTS - len(classes[title])
        is_bad |= seconds > allowed or not all(step.ended for step in each.steps)
    return is_bad


def _slow_ones() -> list[Case]:
    known = {case.name: case for case in catalogue("resources")}
    dallying = [
        Case(kind="resources", name=dally, source=_SOFTMAX.format(dally), place="softmax")
        for dally in _DALLIES
    ]
    return dallying + [known[name] for name in _SLOW_ONES_OF_THE_CATALOGUE]


def _spread(hostile: list[Case]) -> dict[int, Case]:
    """Return the case of each place that isn't an honest student's, evenly among the others.

    The first of all is honest, with the name that cases expect.
    """
    every = STUDENTS // max(1, len(hostile))
    return {every * number + every - 1: case for number, case in enumerate(hostile)}


def _grade(school: School, hostile: Mapping[int, Case], witness: Witness) -> Graded:
    for place in range(STUDENTS):
        if (case := hostile.get(place)) is None:
            school.hand_in_honest(f"{HONEST}{place:02}" if place else HONEST)
        else:
            name = case.source if case.place == STUDENT else f"insider{place:02}"
            school.hand_in(case, name, witness)
    commands = school.commands(usable_cores())
    steps = [run(*each, school.course.root, _MOST_SECONDS) for each in commands]
    course, files = school.course, {}
    for place in set(range(STUDENTS)) - set(hostile):
        name = f"{HONEST}{place:02}" if place else HONEST
        page = course.feedback_path(name, ASSIGNMENT)
        report = course.reports / ASSIGNMENT / f"{name}.json"
        if page.is_file() and report.is_file():
            files[name] = report.read_bytes(), page.read_bytes()
    school.clear()
    return Graded(steps, files)


def _show(classes: Mapping[str, list[Step]], console: Console) -> None:
    table = Table(title="A class of 60", box=box.SIMPLE_HEAD, title_justify="left")
    table.add_column("step")
    for title in classes:
        for what in ("s", "head MB", "workers MB"):
            table.add_column(f"{title}, {what}", justify="right")
    for steps in zip(*classes.values(), strict=True):
        table.add_row(steps[0].name, *(cell for step in steps for cell in _cells(step)))
    console.print(table)


def _cells(step: Step) -> tuple[str, str, str]:
    seconds = f"{step.seconds:.0f}" if step.ended else f"never ({step.seconds:.0f})"
    return seconds, f"{step.memory.head >> 20}", f"{step.memory.others >> 20}"
