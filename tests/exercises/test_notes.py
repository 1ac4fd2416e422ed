"""The locked notes in the released notebooks: right answers are told so, and no name is false."""

import contextlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from autograder.authoring.notes import notebook
from autograder.diagnosis.banks import banks_of
from tests.answering import answers, exercise_of, some
from tests.courses import KIT, answered, solved

HW1 = "hw1_attention"
# Wrong answers that nobody names, or by another of their mistakes: what opens is true of them, too.
ALSO_TRUE = {
    "einsum_with_a_wrong_letter": "attention-transpose-forgotten",
    "concatenated_projection_split_wrongly": "self-attention-keys-and-values-exchanged",
    "mask_of_later_ones": "self-attention-causal-mask",
    "overwrites_x": "self-attention-tokens-centred",
    "exponentials_in_half_precision": "softmax-half-precision",
    "fresh_in_place_and_rounded": "softmax-rounded",
    "output_adds_the_query": "example-residual-of-the-query",
    "scores_and_weights_in_a_column": "example-weights-all-one",
    "key_of_the_token_as_a_vector": "example-only-its-own-key",
    "column_maxima_of_flat": "softmax-shift-down-the-columns",
}


def _code_with_notes(assignment: str) -> str:
    """Return the code of a released notebook down to the cell with the notes."""
    cells = json.loads(KIT.release_path(assignment).read_bytes())["cells"]
    codes = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    (last,) = (place for place, code in enumerate(codes) if "locked_notes = " in code)
    return "\n".join(codes[: last + 1])


@cache
def table(assignment: str) -> Mapping[str, Any]:
    """Return the notes as the released notebook holds them."""
    names: dict[str, Any] = {}
    exec(_code_with_notes(assignment), names)
    found: Mapping[str, Any] = notebook.unpacked(names["locked_notes"].TABLE)
    return found


def opened(path: Path) -> str | None:
    """Return what opens for the answer at `path`; None if its exercise has no notes."""
    assignment, exercise = exercise_of(path)
    notes = table(assignment)
    if exercise not in notes["exercises"]:
        return None
    names: dict[str, Any] = {"__name__": "__main__"}
    for source in answered(solved(KIT, assignment), exercise, path.read_text("utf-8")):
        exec(compile(source, "<cell>", "exec"), names)
    seen = notebook.outcomes(notes["exercises"][exercise], names, 7)
    found = notebook.opened(notes, notes["exercises"][exercise], seen)
    return found[0][1] if found else ""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("wrong", "asked", "told"),
    [
        ("softmax/axis_0", "scaled_dot_product_attention", ("○", notebook.BEGIN)),
        ("softmax/axis_0", "self_attention", ("○", notebook.BEGIN)),
        ("softmax/no_shift", "self_attention", ("○", notebook.BEGIN)),
        ("softmax/comes_back_transposed", "self_attention", ("◆", notebook.BELOW)),
        ("self_attention/not_scaled", "self_attention", ("◆", notebook.EQUAL)),
    ],
)
def test_who_uses_a_wrong_answer_is_sent_to_it(
    wrong: str, asked: str, told: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    used, name = wrong.split("/")
    said = _said_of(asked, {used: _wrong(used, name)}, capsys)
    sign, line = told
    assert said.startswith(f"{sign} {line.format(used=used)}\n")


@pytest.mark.filterwarnings("ignore")
def test_what_an_answer_never_calls_is_not_to_blame(capsys: pytest.CaptureFixture[str]) -> None:
    own = _wrong("worked_example", "scale_is_two")
    assert "softmax(" not in own
    answers = {"softmax": _wrong("softmax", "no_shift"), "worked_example": own}
    assert _said_of("worked_example", answers, capsys).startswith(f"◆ {notebook.EQUAL}\n")


def test_what_an_answer_calls_is_found_in_all_that_it_names() -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(
        """
from functools import partial, wraps
def softmax(x): return mine(x)
def mine(x): return softmax(x)
def decorated(f): return wraps(f)(lambda *args: f(*args))
class Block:
    @staticmethod
    def inner(x): return [mine(row) for row in x]
@decorated
def two(x): return Block.inner(x)
given = partial(mine, 3)
def other(x): return max(x)
""",
        names,
    )
    assert {"softmax", "mine", "Block"} <= notebook.names_in(names["two"], names)
    assert "softmax" not in notebook.names_in(names["other"], names)
    assert notebook.names_in(names["given"], names) == set()


NOTED = [name for each in KIT.assignment_names() for name in table(each)["exercises"]]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("exercise", NOTED)
def test_an_example_is_worked_for_who_asks(
    exercise: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in sorted(KIT.answers.glob(f"*/{exercise}/wrong/*.py")):
        names: dict[str, Any] = {"__name__": "__main__"}
        own = {exercise: path.read_text("utf-8")}
        assignment, _ = exercise_of(path)
        for code in (_code_with_notes(assignment), *{**solved(KIT, assignment), **own}.values()):
            with contextlib.suppress(Exception):
                exec(compile(code, "<cell>", "exec"), names)
        names["locked_notes"].hint(exercise, names)
        if (said := capsys.readouterr().out).startswith("◇"):
            assert "gives, with your code" in said
            return
    pytest.fail("None of these answers is shown one.")


def test_what_is_not_solved_yet_is_not_to_blame(capsys: pytest.CaptureFixture[str]) -> None:
    stubs = dict.fromkeys(["softmax", "scaled_dot_product_attention"], "def softmax(scores): 1 / 0")
    own = {"self_attention": _wrong("self_attention", "own_attention_unscaled")}
    assert _said_of("self_attention", stubs | own, capsys).startswith(f"◆ {notebook.EQUAL}\n")


def _wrong(exercise: str, name: str) -> str:
    return (KIT.answers / HW1 / exercise / "wrong" / f"{name}.py").read_text("utf-8")


def _said_of(exercise: str, answers: Mapping[str, str], capsys: pytest.CaptureFixture[str]) -> str:
    """Return what is printed of an exercise by the notes of hw1, solved but for `answers`."""
    names: dict[str, Any] = {}
    for code in (_code_with_notes(HW1), *{**solved(KIT, HW1), **answers}.values()):
        exec(compile(code, "<cell>", "exec"), names)
    names["locked_notes"].look_closer(exercise, names)
    return capsys.readouterr().out


@pytest.mark.filterwarnings("ignore")  # as in a notebook, a warning ends nothing
@pytest.mark.parametrize("path", some(answers("right"), 8))
def test_a_right_answer_is_told_so(path: Path) -> None:
    assert opened(path) in (notebook.RIGHT, None)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.exhaustive)])
def test_most_wrong_answers_are_named_at_work_and_none_falsely(every: int) -> None:
    banks = banks_of(KIT, HW1)
    paths = [
        path
        for path in sorted((KIT.answers / HW1).glob("*/wrong/*.py"))[::every]
        if exercise_of(path)[1] in banks
    ]
    named = dict[Path, set[str]]()
    for path in paths:
        said, bank = _of(path), banks[exercise_of(path)[1]]
        tags = {variant.tag for variant in bank.variants if variant.message == said}
        if tags:
            named[path] = tags
    false = {
        path.stem: tags
        for path, tags in named.items()
        if not tags & {*_names(path), ALSO_TRUE.get(path.stem)}
    }
    assert false == {}
    assert len(named) > 2 / 3 * len(paths)


def _of(path: Path) -> str:
    try:
        return opened(path) or ""
    except Exception:  # the cell itself raises, which any notebook shows
        return ""


def _names(path: Path) -> list[str]:
    """Return the mistakes that an answer says it has, in its first lines."""
    lines = path.read_text("utf-8").splitlines()[:5]
    said = (line.partition(":")[2] for line in lines if line.startswith("# named:"))
    return [tag.strip() for line in said for tag in line.split(",")]
