"""A class of 60 with 20 insiders, beside a class of 60 honest ones, by local workers."""

from collections.abc import Callable, Sequence
from itertools import count

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


def try_class(console: Console) -> bool:
    """Grade both classes, print what came of them; tell whether anything is to be mended."""
    adopt_orphans()
    hostile = [case for case in catalogue() for _ in range(case.of_sixty)]
    school = School(ASSIGNMENT, strongest())
    jobs = usable_cores()
    witness = Witness(school.course, ASSIGNMENT)
    try:
        alone = _worked_off(school, jobs, lambda: _hand_in(school, STUDENTS))
        number = STUDENTS - len(hostile)
        mixed = _worked_off(school, jobs, lambda: _hand_in(school, number, hostile, witness))
    finally:
        witness.close()
        school.close()
    _show(alone, mixed, console)
    honest = {name for name in whole(mixed[0]) if name.startswith(HONEST)}
    allowed = 2 * alone[0].seconds + len(hostile) * MOST_GRADER.notebook_seconds / jobs
    console.print(f"Honest submissions that are whole: {len(honest)} of {number}")
    console.print(f"Graded in {mixed[0].seconds:.0f} s; {allowed:.0f} s would be too long")
    ended = all(step.ended for step in mixed)
    return len(honest) < number or mixed[0].seconds > allowed or not ended


def _hand_in(
    school: School, honest: int, hostile: Sequence[Case] = (), witness: Witness | None = None
) -> None:
    """Let hostile students stand among the others, in the order of their names.

    The first of all has the name that cases expect.
    """
    places = count()

    def next_name(who: str) -> str:
        place = next(places)
        return f"{who}{place:02}" if place else who

    for number in range(honest):
        school.hand_in_honest(next_name(HONEST))
        if witness is not None and number % 2 and number // 2 < len(hostile):
            case = hostile[number // 2]
            name = case.source if case.place == STUDENT else next_name("insider")
            school.hand_in(case, name, witness)


def _worked_off(school: School, jobs: int, hand_in: Callable[[], None]) -> list[Step]:
    hand_in()
    steps = [run(*each, school.course.root, _MOST_SECONDS) for each in school.commands(jobs)]
    school.clear()
    return steps


def _show(alone: list[Step], mixed: list[Step], console: Console) -> None:
    table = Table(title="A class of 60", box=box.SIMPLE_HEAD, title_justify="left")
    table.add_column("step")
    for who in ("all honest", "20 insiders"):
        for what in ("s", "head MB", "workers MB"):
            table.add_column(f"{who}, {what}", justify="right")
    for one, other in zip(alone, mixed, strict=True):
        table.add_row(one.name, *_cells(one), *_cells(other))
    console.print(table)


def _cells(step: Step) -> tuple[str, str, str]:
    seconds = f"{step.seconds:.0f}" if step.ended else f"never ({step.seconds:.0f})"
    return seconds, f"{step.memory.head >> 20}", f"{step.memory.others >> 20}"
