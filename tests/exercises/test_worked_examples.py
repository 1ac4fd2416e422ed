"""The small worked examples in the banks: what they state is so, and none gives a solution away."""

import ast
import math
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from autograder.authoring.notes import notebook
from autograder.diagnosis.banks import banks_of
from autograder.sandbox.host.in_process import InProcess
from autograder.testing.misconceptions import Bank, WorkedExample
from tests.answering import given
from tests.courses import KIT, solved

SUM = re.compile(r"(?:[\d.·+−/√^() ]|e(?=\^))+(?:=(?:[\d.·+−/√^() ]|e(?=\^))+)+")
SHORT = 12  # characters of a line that anybody may write


def examples() -> Iterator[Any]:
    for assignment in KIT.assignment_names():
        for exercise, bank in banks_of(KIT, assignment).items():
            found = {
                each.call + each.text: each for some in bank.examples.values() for each in some
            }
            for n, example in enumerate(found.values(), 1):
                yield pytest.param(assignment, bank, example, id=f"{exercise}-{n}")


each_example = pytest.mark.parametrize(("assignment", "bank", "example"), list(examples()))


@cache
def names_of(assignment: str) -> dict[str, Any]:
    """The names of a notebook in which all exercises are solved as in the banks."""
    references = [bank.reference for bank in banks_of(KIT, assignment).values()]
    folder = KIT.solutions / assignment
    return dict(InProcess([*given(assignment), *references], folder=folder).namespace)


def tried(assignment: str, example: WorkedExample, source: str) -> str:
    """Return what an example gives where `source` is the answer."""
    names = dict(names_of(assignment))
    exec(source, names)
    return str(notebook.tried(example.call, names))


@each_example
def test_a_right_answer_gives_what_is_stated(
    assignment: str, bank: Bank, example: WorkedExample
) -> None:
    assert tried(assignment, example, bank.reference) == notebook.shown(example.gives)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of mistakes
@each_example
def test_a_mistake_of_the_idea_gives_something_else(
    assignment: str, bank: Bank, example: WorkedExample
) -> None:
    given = [
        tried(assignment, example, mistake.source)
        for mistake in bank.singles()
        if example in bank.examples.get(mistake.variants[0].tag, ())
    ]
    assert any(found != notebook.shown(example.gives) for found in given)


@each_example
def test_its_length_is_that_of_a_good_hint(
    assignment: str, bank: Bank, example: WorkedExample
) -> None:
    assert 80 <= len(example.lines.split()) <= 160


@each_example
def test_its_sums_are_right(assignment: str, bank: Bank, example: WorkedExample) -> None:
    found = list(equations(example.lines))
    assert found
    for left, right in found:
        decimals = len(right.partition(".")[2])
        assert math.isclose(value(left), value(right), abs_tol=0.51 * 10**-decimals), (left, right)


def test_a_name_that_has_a_value_is_no_sum() -> None:
    assert list(equations("With d = 2 features, 1 + 3 = 4 = 4.")) == [("1 + 3", "4"), ("4", "4")]


@each_example
def test_it_holds_no_line_of_a_solution(
    assignment: str, bank: Bank, example: WorkedExample
) -> None:
    sources = [solved(KIT, assignment)[bank.exercise], bank.reference]
    lines = {squeezed(line) for source in sources for line in source.splitlines()}
    shown = squeezed(f"{example.lines} {example.call}")
    assert not [line for line in lines if len(line) >= SHORT and line in shown]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@each_example
def test_right_answers_of_all_styles_give_what_is_stated(
    assignment: str, bank: Bank, example: WorkedExample
) -> None:
    for path in sorted((KIT.answers / assignment / bank.exercise / "right").glob("*.py")):
        found = tried(assignment, example, without_magics(path))
        assert found == notebook.shown(example.gives), path.stem


def without_magics(path: Path) -> str:
    return re.sub(r"^%.*", "", path.read_text("utf-8"), flags=re.MULTILINE)


def squeezed(text: str) -> str:
    return "".join(text.split())


def equations(text: str) -> Iterator[tuple[str, str]]:
    """Yield both sides of each `1 + 3 = 4` in a text; `1 · 4 + 0 · 2 = 4 = 4` are two.

    A name that has a value, as in `d = 2`, is no sum.
    """
    for found in SUM.findall(text):
        sides = [side.strip(" .") for side in found.split("=")]
        yield from (pair for pair in pairwise(sides) if all(pair))


def value(side: str) -> float:
    """Compute one side: numbers, the four operations, roots, and powers of e."""
    python = side.replace("·", "*").replace("−", "-").replace("^", "**")
    python = re.sub(r"√(\d[\d.]*)", r"(\1)**0.5", python)
    python = re.sub(r"\be\b", str(math.e), python)
    tree = ast.parse(python, mode="eval")
    assert not any(isinstance(node, (ast.Name, ast.Call)) for node in ast.walk(tree)), side
    return float(eval(compile(tree, "<side>", "eval")))
