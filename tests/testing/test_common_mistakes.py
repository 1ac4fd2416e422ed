"""Common mistakes are made of any right answer: a function or a module, in NumPy or in PyTorch."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from autograder.errors import CourseError
from autograder.testing.misconceptions import common_variants

# Another subject than attention: the mean and the deviations of measurements, by name.
NUMPY = """\
def summarise(x):
    mean = x.mean(axis=0)
    return {"mean": mean, "deviations": (x - mean, [x.std(), float(x.std()), 4])}
"""
TORCH = """\
class TinyNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.dropout = nn.Dropout(0.5)
        self.first = nn.Linear(3, 4)
        self.second = nn.Linear(4, 2)

    def forward(self, x):
        return self.second(self.dropout(self.first(x)))
"""
PLAIN = TORCH.replace("        self.dropout = nn.Dropout(0.5)\n", "").replace("self.dropout", "")
DATA = np.arange(6).reshape(3, 2) / 7


def wrong_by(name: str, exercise: str, reference: str) -> str:
    variants = {v.tag: v for v in common_variants(exercise, reference, "x")}
    return variants[f"x-{name}"].checked(exercise, reference)


def summary(name: str) -> Any:
    namespace: dict[str, Any] = {"np": np}
    exec(wrong_by(name, "summarise", NUMPY), namespace)
    return namespace["summarise"](DATA)


def net(name: str, reference: str = TORCH) -> Any:
    torch = pytest.importorskip("torch")
    namespace: dict[str, Any] = {"torch": torch, "nn": torch.nn}
    exec(wrong_by(name, "TinyNet", reference), namespace)
    return namespace["TinyNet"]


def names(exercise: str, reference: str) -> list[str]:
    tags = [variant.tag for variant in common_variants(exercise, reference, "x")]
    return [tag.removeprefix("x-") for tag in tags]


def test_nothing_is_returned() -> None:
    assert summary("nothing-returned") is None


@pytest.mark.parametrize(("name", "places"), [("rounded", 3), ("rounded-coarsely", 2)])
def test_every_number_of_a_result_is_rounded_and_its_form_is_kept(name: str, places: int) -> None:
    found = summary(name)
    assert found["mean"].tolist() == DATA.mean(axis=0).round(places).tolist()
    assert [type(found["deviations"]), type(found["deviations"][1])] == [tuple, list]
    deviations, (scalar, number, whole) = found["deviations"]
    assert deviations.tolist() == (DATA - DATA.mean(axis=0)).round(places).tolist()
    assert [scalar, number, whole] == [round(DATA.std(), places)] * 2 + [4]


def test_arrays_become_plain_lists_or_lists_of_rows() -> None:
    found = summary("plain-list")
    assert found["mean"] == DATA.mean(axis=0).tolist()
    assert type(found["deviations"][1][0]) is float
    rows = summary("list-of-rows")["deviations"][0]
    assert [type(rows), *map(type, rows)] == [list, *[np.ndarray] * 3]


def test_a_function_in_numpy_is_offered_what_needs_no_tensor_and_no_module() -> None:
    assert names("summarise", NUMPY) == [
        "nothing-returned",
        "rounded",
        "rounded-coarsely",
        "plain-list",
        "list-of-rows",
    ]


def test_a_module_is_offered_what_modules_can_get_wrong() -> None:
    of_modules = ["in-numpy", "other-names", "no-bias", "bias-unused", "super-missing"]
    assert names("TinyNet", TORCH)[5:] == [*of_modules, "dropout-in-eval-mode"]
    assert names("TinyNet", PLAIN)[5:] == [*of_modules, "drawn-anew"]


def test_what_is_neither_a_function_nor_has_a_forward_is_offered_nothing() -> None:
    assert names("answer", "answer = 42") == []
    assert names("Box", "class Box:\n    size = 3\n") == []


@pytest.mark.slow
def test_the_forward_of_a_module_is_wrapped_or_its_layers_are_changed() -> None:
    import torch

    def layers(name: str) -> list[str]:
        return [layer for layer, _ in net(name)().named_children()]

    assert type(net("in-numpy")()(torch.zeros(5, 3))) is np.ndarray
    assert layers("in-numpy") == ["dropout", "first", "second"]
    assert layers("other-names") == ["dropout", "my_first", "second"]
    assert list(net("no-bias")().state_dict()) == ["first.weight", "second.weight"]
    assert list(net("bias-unused")().state_dict()) == list(net("in-numpy")().state_dict())
    assert not net("bias-unused")()(torch.zeros(5, 3)).any()
    with pytest.raises(AttributeError, match="before Module"):
        net("super-missing")()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "reference"), [("drawn-anew", PLAIN), ("dropout-in-eval-mode", TORCH)]
)
def test_two_calls_differ_in_eval_mode(name: str, reference: str) -> None:
    import torch

    module, x = net(name, reference)().eval(), torch.ones(50, 3)
    assert not torch.equal(module(x), module(x))


@pytest.mark.slow
def test_in_train_mode_dropout_is_as_it_should_be() -> None:
    import torch

    module, x = net("dropout-in-eval-mode")().train(), torch.ones(50, 3)
    torch.manual_seed(7)
    found = module(x)
    torch.manual_seed(7)
    assert torch.equal(found, module.second(module.dropout(module.first(x))))


def test_words_speak_of_what_the_exercise_has() -> None:
    words = {v.tag: v for v in common_variants("TinyNet", TORCH)}
    assert words["tiny-net-nothing-returned"].message.startswith("Your `forward` gives")
    assert "where a tensor is asked for" in words["tiny-net-plain-list"].message
    assert "no attribute `first`" in words["tiny-net-other-names"].message
    words = {v.tag: v for v in common_variants("summarise", NUMPY)}
    assert words["summarise-nothing-returned"].message.startswith("Your function gives")
    assert "where an array is asked for" in words["summarise-plain-list"].message


def test_a_name_that_no_common_mistake_has_cannot_be_left_out() -> None:
    with pytest.raises(CourseError, match=r"summarise: NOT_MISTAKES lists 'round', .* rounded"):
        list(common_variants("summarise", NUMPY, left_out=["round"]))


def test_a_reference_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(CourseError, match=r"double: REFERENCE is no Python: .* line 1"):
        list(common_variants("double", "def double(x) return 2 * x"))


def test_they_are_made_without_importing_torch() -> None:
    program = (
        "import sys; from autograder.testing.misconceptions import common_variants; "
        f"list(common_variants('TinyNet', {TORCH!r})); sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
