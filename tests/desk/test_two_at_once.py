"""Two people at two desks on one gradebook, in random order: nothing that was saved is lost."""

import json
import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import pytest
from nbgrader.api import Gradebook
from sqlalchemy import Row, create_engine, select

from autograder.course import Course
from autograder.gradebook import configuration
from autograder.gradebook.tables import GIVEN
from tests.desk.desks import POINTS, WHY, OpenDesk, Person, answered, desk
from tests.postgresql import in_either_database
from tests.toy_class import ToyClass
from tests.toys import TOYS

pytestmark = pytest.mark.slow
FEW, MANY = 40, 400  # actions of both together
ANSWERS = 6
State = tuple[float | None, str | None]  # points and comment


@dataclass
class Work:
    """What somebody did: the actions that the desk said were saved, and how often it refused."""

    saved: dict[str, str] = field(default_factory=dict)  # with the comment that stood on the page
    undone: list[str] = field(default_factory=list)
    refused: int = 0


def work(opened: OpenDesk, name: str, keys: Sequence[str], actions: int, seed: int) -> Work:
    """Open answers and grade them, a little later or much later; now and then undo the last."""
    drawn, done = random.Random(seed), Work()
    with opened.person() as person, opened.person() as other_tab:
        for number in range(actions):
            tab = drawn.choice([person, other_tab])
            if drawn.random() < 0.5 or not tab.page.select("#grade"):
                tab.open(WHY, show="all", answer=drawn.choice(keys))
            if tab.page.select("form.notice button") and drawn.random() < 0.2:
                undo(tab, done)
            else:
                give(tab, f"{name} {number}", drawn, done)
    return done


def give(tab: Person, comment: str, drawn: random.Random, done: Work) -> None:
    seen = comment_on(tab)
    tab.earn(*drawn.sample(POINTS, drawn.randint(1, 2)), points="", comment=comment)
    assert tab.status in (200, 409), tab.text
    if tab.status == 200:
        done.saved[action_on(tab)] = seen
    else:
        done.refused += 1
        assert "Changed meanwhile" in tab.text


def comment_on(tab: Person) -> str:
    """The comment that stands in the gradebook, by the page; a refused one stands in its box."""
    standing = tab.page.select("#standing, #grade textarea")[0].get_text()
    return "" if "Changed meanwhile" in tab.text and not tab.page.select("#standing") else standing


def undo(tab: Person, done: Work) -> None:
    action = action_on(tab)
    tab.undo()
    assert tab.status in (200, 409), tab.text
    if tab.status == 200:
        done.undone.append(action)
    else:
        done.refused += 1


def action_on(tab: Person) -> str:
    (found,) = tab.page.select("form.notice [name=action]")
    return str(found["value"])


@in_either_database
@pytest.mark.parametrize("actions", [FEW, pytest.param(MANY, marks=pytest.mark.exhaustive)])
def test_nothing_is_lost_between_two_desks(school: ToyClass, actions: int) -> None:
    course = school.course
    answered(school, {f"s{number}": f"answer {number * 'i'}" for number in range(ANSWERS)})
    keys = list(held(course))
    with (
        desk(course, "ada") as hers,
        desk(course, "bob") as his,
        ThreadPoolExecutor(2) as both,
    ):
        running = [
            both.submit(work, opened, name, keys, actions // 2, seed)
            for seed, (opened, name) in enumerate([(hers, "ada"), (his, "bob")])
        ]
        ada, bob = (each.result() for each in running)
    assert min(len(ada.saved), len(bob.saved)) > actions / 10
    assert ada.refused + bob.refused > actions / 40  # or else nobody got into anybody's way
    rows = history(course)
    saved = ada.saved | bob.saved
    assert sorted(row.action for row in rows) == sorted(saved)
    for row in rows:
        assert (before(row)[1] or "") == saved[row.action], f"{row.comment} overwrote unseen points"
    assert {row.action for row in rows if row.undone} == {*ada.undone, *bob.undone}
    for key, now in held(course).items():
        check_chain([row for row in rows if row.grade == key], now)


def check_chain(rows: Sequence[Row[Any]], now: State) -> None:
    """Check that each action found what the one before it left, and that the last one holds."""
    for place, row in enumerate(rows):
        assert before(row) in possible(rows[:place], row.undone)
    (last,) = possible(rows, undone_later=False)
    assert now == last


def possible(earlier: Sequence[Row[Any]], undone_later: bool) -> list[State]:
    """What can have stood there after the `earlier` actions, some of which were undone.

    One was undone before the next was taken, unless that was undone, too.
    """
    states: list[State] = []
    for row in reversed(earlier):
        if not row.undone or undone_later:
            states.append((row.points, row.comment))
        if not row.undone:
            return states
    return [*states, (None, None)]


def before(row: Row[Any]) -> State:
    found = json.loads(row.before)
    return found["points"], found["comment"]


def history(course: Course) -> list[Row[Any]]:
    engine = create_engine(configuration.url(course))
    with engine.connect() as connection:
        rows = connection.execute(select(GIVEN).order_by(GIVEN.c.number)).all()
    engine.dispose()
    return list(rows)


def held(course: Course) -> dict[str, State]:
    """What nbgrader itself reads for each answer, by the grade's key."""
    found: dict[str, State] = {}
    with Gradebook(configuration.url(course), "toys") as book:
        for notebook in book.notebook_submissions(TOYS, TOYS):
            comment = book.find_comment("why", TOYS, TOYS, notebook.student.id)
            grade = book.find_grade("why", TOYS, TOYS, notebook.student.id)
            found[grade.id] = grade.manual_score, comment.manual_comment
    return found
