"""A mistake costs its marks once, however a later answer reaches the earlier one."""

import json

import pytest

from autograder.course import Course
from autograder.report import ExerciseReport
from autograder.sandbox.host.probe import strongest
from tests.courses import solved
from tests.graders import Graders, exercise_in
from tests.notebooks import code, filled

pytestmark = pytest.mark.slow  # each grades a notebook

ATTENTION, ENCODER = "scaled_dot_product_attention", "Encoder"
WRONG_SOFTMAX = "def softmax(x):\n    return np.exp(x) / np.exp(x).sum()"
# what stands above the answer, a parameter of it, and the name by which it calls softmax
FORMS: dict[str, tuple[str, str, str]] = {
    "default argument": ("", ", sm=softmax", "sm"),
    "partial": ("from functools import partial\nsm = partial(softmax)", "", "sm"),
    "table of functions": ('OPS = {"sm": softmax}', "", 'OPS["sm"]'),
    "name at top level": ("sm = softmax", "", "sm"),
    "import from __main__": ("from __main__ import softmax as sm", "", "sm"),
    "import of the same name": ("from __main__ import softmax", "", "softmax"),
    "import of the whole notebook": ("import __main__", "", "__main__.softmax"),
    "class attribute": ("class Layer:\n    act = staticmethod(softmax)", "", "Layer.act"),
    "closure": ("def made(f):\n    return lambda x: f(x)\nsm = made(softmax)", "", "sm"),
    "decorator": (
        "import functools\ndef logged(f):\n    @functools.wraps(f)\n    def g(x):\n"
        "        return f(x)\n    return g\n@logged\ndef sm(x):\n    return softmax(x)",
        "",
        "sm",
    ),
    "value at top level": (
        "UNIFORM = softmax(np.zeros((2, 4)))[0, 0] * 4",
        "",
        "UNIFORM * softmax",
    ),
}
# the answer of softmax, and cells that a student added below it, for one that calls `sm`
ELSEWHERE: dict[str, tuple[str, tuple[str, ...]]] = {
    "in the same cell": (f"{WRONG_SOFTMAX}\nsm = softmax", ()),
    "in a cell of its own": (WRONG_SOFTMAX, ("sm = softmax",)),
    "below one that raises": (f"{WRONG_SOFTMAX[:-4]}\nraise ValueError", ("sm = softmax",)),
    "below one that ends the process": ("import os\nos._exit(1)", ("sm = softmax",)),
    "in a table": (
        WRONG_SOFTMAX,
        ("OPS = {}", 'OPS["sm"] = softmax', "sm = lambda x: OPS['sm'](x)"),
    ),
}
SUBCLASS = """
class Block(EncoderBlock):
    def __init__(self, d_model, n_heads, d_ff, dropout):
        super().__init__(d_model, n_heads, d_ff, dropout)
        self.calls = 0

    def forward(self, x, key_padding_mask=None):
        self.calls += 1
        return super().forward(x, key_padding_mask=key_padding_mask)
"""
BLOCKS = "EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)"


def attention(above: str, parameter: str, called: str) -> str:
    return (
        f"{above}\ndef {ATTENTION}(Q, K, V{parameter}):\n"
        f"    weights = {called}(Q @ K.T / np.sqrt(K.shape[-1]))\n    return weights, weights @ V"
    )


def report_on(
    graders: Graders, course: Course, name: str, answers: dict[str, str], *own: str
) -> ExerciseReport:
    """Report on `name` with these answers in a solution, and `own` cells below the first answer."""
    assignment = "hw1_attention" if name == ATTENTION else "hw2_encoder"
    content = filled(course.release_path(assignment), solved(course, assignment) | answers)
    marks = [cell["metadata"].get("nbgrader", {}) for cell in content["cells"]]
    first = next(iter(answers))
    place = next(n for n, mark in enumerate(marks) if mark.get("grade_id") == first) + 1
    content["cells"][place:place] = [code(source) for source in own]
    report = graders(assignment, strongest()).grade(json.dumps(content).encode())
    return exercise_in(report, name)


def keeps_its_marks(found: ExerciseReport) -> bool:
    return found.score == found.max_score and found.followed_through


@pytest.mark.parametrize("form", FORMS)
def test_an_answer_keeps_its_marks_by_whatever_name_it_calls_a_wrong_one(
    graders: Graders, course: Course, form: str
) -> None:
    answers = {"softmax": WRONG_SOFTMAX, ATTENTION: attention(*FORMS[form])}
    assert keeps_its_marks(report_on(graders, course, ATTENTION, answers))


@pytest.mark.parametrize("place", ELSEWHERE)
def test_the_other_name_may_be_given_elsewhere(
    graders: Graders, course: Course, place: str
) -> None:
    softmax, own = ELSEWHERE[place]
    answers = {"softmax": softmax, ATTENTION: attention("", "", "sm")}
    assert keeps_its_marks(report_on(graders, course, ATTENTION, answers, *own))


@pytest.mark.parametrize(
    "layers",
    [
        BLOCKS.replace("Encoder", ""),
        f"copy.deepcopy(block) for block in [{BLOCKS.split(' for ')[0]}] * n_layers",
    ],
    ids=["subclass", "copies"],
)
def test_a_class_may_be_derived_from_a_wrong_one_and_a_module_copied(
    graders: Graders, course: Course, layers: str
) -> None:
    right = solved(course, "hw2_encoder")
    assert BLOCKS in right[ENCODER]
    answers = {
        "EncoderBlock": f"{right['EncoderBlock']}\nEncoderBlock.forward = lambda s, x, **k: x * 0",
        ENCODER: f"import copy\n{SUBCLASS}\n{right[ENCODER].replace(BLOCKS, layers)}",
    }
    assert keeps_its_marks(report_on(graders, course, ENCODER, answers))
