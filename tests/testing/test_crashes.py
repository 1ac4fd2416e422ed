"""Common exceptions are explained; the explanations are tried on the exceptions themselves."""

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from autograder.testing.failures import RULES, explain


class NoSelf(nn.Module):
    def forward(x: Any) -> Any:  # noqa: N805 - the mistake to be explained
        return x


class NoLayer(nn.Module):
    def forward(self, x: Any) -> Any:
        return self.linear(x)  # type: ignore[operator]  # the mistake to be explained


class NoSuper(nn.Module):
    def __init__(self) -> None:
        self.linear = nn.Linear(2, 3)


def nothing() -> Any:
    return None


def endless() -> None:
    endless()


def unset() -> Any:
    if not math:
        value = 1
    return value


def shadowed(x: Any) -> Any:
    return x(2)


def backward(loss: Any) -> None:
    loss.backward()


def twice_backward() -> None:
    loss = LEARNING.exp().sum()
    backward(loss)
    backward(loss)


def overwritten() -> None:
    x = LEARNING.exp()
    y = (x * x).sum()
    x.add_(1)
    backward(y)


def attend(query: Any, *others: Any, **masks: Any) -> Any:
    """Let a layer of four features attend, to itself if nothing else is given."""
    key, value = others or (query, query)
    return nn.MultiheadAttention(4, 2, batch_first=True)(query, key, value, **masks)


ONES = torch.ones(2, 3)
FOUR, BATCH = torch.ones(2, 4), torch.ones(3, 2, 4)
LEARNING = torch.ones(2, requires_grad=True)
# The tag of each exception's explanation, and a part of it.
CRASHES: dict[str, tuple[Callable[[], Any], str, str]] = {
    "matmul": (lambda: np.ones((2, 3)) @ np.ones((4, 5)), "shapes", "here 3 meets 4"),
    "dot": (lambda: np.ones((2, 3)).dot(np.ones((4, 5))), "shapes", "here 3 meets 4"),
    "mm": (lambda: ONES @ torch.ones(4, 5), "shapes", "here 3 meets 4"),
    "bmm": (
        lambda: torch.ones(2, 3, 5) @ torch.ones(2, 4, 3),
        "shapes",
        r"begin with \(2, 5\), but it begins with \(2, 4\)",
    ),
    "norm": (lambda: nn.LayerNorm(4)(ONES), "shapes", r"of \(4\), and gets the shape \(2, 3\)"),
    "cat": (lambda: torch.cat([ONES, torch.ones(3, 4)]), "shapes", "along every other axis"),
    "cat of other ranks": (
        lambda: torch.cat([ONES, torch.ones(3)]),
        "shapes",
        "one has 2, another 1",
    ),
    "tril": (lambda: torch.ones(3).tril(), "shapes", "needs rows and columns"),
    "assigned to torch": (
        lambda: torch.ones(3).__setitem__(slice(2), ONES),
        "broadcast",
        "2 axes is put where 1",
    ),
    "joined": (lambda: np.hstack([np.ones((2, 3)), np.ones((3, 3))]), "shapes", "every other axis"),
    "broadcast": (
        lambda: np.ones((3, 4)) / np.ones((5, 4)),
        "broadcast",
        r"^These shapes don't fit: \(3, 4\) and \(5, 4\)\. Print both just before line 10\.$",
    ),
    "assigned": (lambda: np.ones(3).__setitem__(slice(2), np.ones(3)), "broadcast", r"\(3,\) and"),
    "torch broadcast": (lambda: ONES / torch.ones(2), "broadcast", "axis 1 a size of 3 meets 2"),
    "expand": (lambda: ONES.expand(4, 3), "broadcast", "size of 2 can't be stretched to 4"),
    "reshape": (lambda: np.ones(6).reshape(4, 2), "reshape", r"^6 numbers .* shape \(4, 2\)"),
    "torch reshape": (lambda: torch.ones(6).view(4, 2), "reshape", r"^6 numbers .* \(4, 2\)"),
    "view": (lambda: torch.ones(2, 3, 4).mT.view(2, 12), "reshape", "`reshape` copies"),
    "axis": (lambda: np.ones(3).sum(axis=1), "axis", "axis 1, but the number of axes is 1"),
    "dim": (lambda: torch.ones(3).sum(dim=1), "axis", "axis 1, which this tensor doesn't have"),
    "t": (lambda: torch.ones(2, 3, 4).t(), "axis", "this tensor has 3 axes"),
    "transpose": (lambda: np.ones((2, 3)).transpose(0, 2, 1), "axis", "how many axes"),
    "token": (lambda: nn.Embedding(3, 2)(torch.tensor([5])), "index", "asked for a token, or"),
    "index": (lambda: np.ones((2, 3))[:, 5], "index", "axis 1 there are 3 .* number 5"),
    "beyond": (lambda: [1, 2][2], "index", "just before line 10"),
    "indices": (lambda: np.ones(3)[0, 0], "index", "An index too many"),
    "step": (lambda: range(0, 4, 0), "step-of-zero", "step in line 10"),
    "split": (lambda: np.split(np.ones(8), 3), "reshape", "should the parts be equal"),
    "truth": (lambda: bool(ONES), "truth", "`is None` says"),
    "truth in a layer": (lambda: nn.Dropout(ONES), "truth", "made first, and then called"),  # type: ignore[arg-type]
    "layer for a tensor": (lambda: eval("nn.Linear(3, 3)(nn.ReLU(ONES))"), "not-called", "nn.ReLU"),
    "booleans": (lambda: (ONES > 0) - (ONES > 1), "booleans", "can't be subtracted"),
    "booleans of NumPy": (lambda: eval("(np.ones(2) > 0) - (np.ones(2) > 1)"), "booleans", "True"),
    "truth of an array": (lambda: bool(np.ones(3)), "truth", "`max` and `min` ask for one"),
    "overflow": (lambda: math.exp(1000), "overflow", "exponential or the power in line 10"),
    "power": (lambda: 10.0 ** int("400"), "overflow", "larger than a float can be"),
    "scalar": (lambda: np.ones(3).max()[0], "index", "An index for a single number"),
    "torch scalar": (lambda: ONES.max()[0], "index", "An index for a single number"),
    "attention mask": (
        lambda: nn.MultiheadAttention(2, 1)(*[ONES[:, :2]] * 3, attn_mask=torch.ones(3, 3)),
        "shapes",
        r"the shape \(3, 3\), and \(2, 2\) is needed",
    ),
    "padding mask": (
        lambda: nn.MultiheadAttention(3, 1)(*[ONES] * 3, key_padding_mask=torch.ones(3).bool()),
        "shapes",
        "there are 2 keys, and the mask has 3 entries",
    ),
    "einsum": (
        lambda: torch.einsum("ij,jk->ik", ONES, torch.ones(4, 2)),
        "shapes",
        "the letter j stands for two sizes, 3 and 4",
    ),
    "letters": (
        lambda: torch.einsum("ij,jk->ik", ONES, torch.ones(3)),
        "shapes",
        "2 letters name the axes of a tensor that has 1",
    ),
    "window": (lambda: ONES.unfold(1, 5, 1), "shapes", "of 5 doesn't fit along axis 1, .* is 3"),
    "targets": (
        lambda: nn.functional.cross_entropy(torch.ones(2, 12, 4), torch.ones(2, 5).long()),
        "shapes",
        r"predictions for 2, 4, and targets for 2, 5",
    ),
    "targets in a row": (
        lambda: nn.functional.cross_entropy(torch.ones(8, 12), torch.ones(10).long()),
        "shapes",
        "predictions for 8, and targets for 10",
    ),
    "padding": (lambda: nn.functional.pad(ONES, (3, 3), "reflect"), "shapes", "how much is added"),
    "dtype": (lambda: torch.ones(2, 2) @ torch.ones(2, 2).double(), "dtype", "different dtypes"),
    "softmax of integers": (lambda: torch.arange(3).softmax(0), "dtype", "of dtype Long"),
    "mean of integers": (lambda: torch.arange(3).mean(), "dtype", "of dtype Long"),
    "kept sparsely": (lambda: torch.eye(2).to_sparse().tril(), "dtype", "has no `aten::tril`"),
    "mask": (lambda: ONES.masked_fill(ONES, 0), "dtype", "holds numbers, not booleans"),
    "root of a number": (lambda: eval("torch.sqrt(2)"), "scalar", "number, of type `int`"),
    "number among tensors": (lambda: eval("torch.cat([ONES, 1])"), "scalar", "of type `int`"),
    "tensors without a list": (
        lambda: eval("torch.cat(ONES, ONES)"),
        "list",
        "in a list. .* call in line 10",
    ),
    "tensors and a dim": (lambda: eval("torch.cat(ONES, ONES, 1)"), "list", "as one argument"),
    "root of an array": (
        lambda: eval("torch.sqrt(np.ones(2))"),
        "tensor",
        "something of type `numpy.ndarray`",
    ),
    "math": (lambda: math.exp(np.ones(3)), "scalar", "^A whole array"),
    "math of torch": (lambda: math.sin(torch.arange(3)), "scalar", "^A whole array"),
    "numpy": (lambda: LEARNING.numpy(), "gradient", "in NumPy its gradient would be lost"),
    "gpu": (lambda: torch.ones(1).to("xpu"), "gpu", "There is no GPU .* runs everywhere"),
    "no gradient": (lambda: backward(torch.ones(1)), "gradient", "is the connection lost"),
    "in place": (lambda: nn.Linear(2, 2).weight.add_(1), "gradient", "in place"),
    "twice": (twice_backward, "gradient", "ran twice"),
    "overwritten": (overwritten, "gradient", "was overwritten"),
    "none": (lambda: nothing()[0], "none", "value is None"),
    "unpack none": (lambda: [a for a, b in [nothing()]], "none", "value is None"),
    "no self": (lambda: eval("self.linear"), "missing-self", "There is no `self` here"),
    "self": (lambda: NoSelf()(torch.ones(2)), "missing-self", "`self` counts as one"),
    "too many": (lambda: nothing(1), "arguments", "Compare"),  # type: ignore[call-arg]
    "no such parameter": (lambda: shadowed(y=1), "arguments", "`y`"),  # type: ignore[call-arg]
    "too few": (lambda: shadowed(), "arguments", "also needs `x`"),  # type: ignore[call-arg]
    "unpack": (lambda: [a for a, b in [tuple("abc")]], "unpack", "How many axes"),
    "unpack one": (lambda: [a for a, b in [math.pi]], "unpack", "How many axes"),  # type: ignore
    "super": (NoSuper, "super", "does it come before your layers"),
    "function": (lambda: eval("torch.sofmax(1)"), "misspelt", "Did you mean `softmax`"),
    "misspelt attribute": (lambda: [].apend(1), "misspelt", "Did you mean `append`"),  # type: ignore
    "attribute": (lambda: NoLayer()(torch.ones(2)), "attribute", "no `linear`. Is it the type"),
    "name": (lambda: eval("nowhere"), "misspelt", "Is `nowhere` spelt"),
    "unset": (unset, "unset", "`value` has no value yet when line 10 asks"),
    "no forward": (lambda: nn.Module()(ONES), "no-forward", "how far is it indented"),
    "called a list": (
        lambda: nn.ModuleList()(ONES),
        "not-callable",
        "A `ModuleList` holds modules",
    ),
    "called": (lambda: shadowed(ONES), "not-callable", "no function but a `Tensor`"),
    "operands": (lambda: [1] / 2, "operands", "A `list` and a `int`"),  # type: ignore[operator]
    "recursion": (endless, "recursion", "calls itself"),
    "a minus from a page": (lambda: compile("1 \u2212 1", "", "exec"), "syntax", "Which keys"),
    "a blank from a page": (lambda: compile("x =\xa01", "", "exec"), "syntax", "Which keys"),
    "tabs": (lambda: compile("if 1:\n\tx\n        y", "", "exec"), "syntax", "begin alike"),
    "batch axis": (
        lambda: nn.Transformer(4, 2, 1, 1, 8, batch_first=True)(BATCH, BATCH[:2]),
        "shapes",
        "Which axis of your tensors counts them",
    ),
    "features of a Transformer": (
        lambda: nn.Transformer(8, 2, 1, 1, 8, batch_first=True)(BATCH, BATCH),
        "shapes",
        "as many features as the layer was made for",
    ),
    "features of a query": (lambda: attend(ONES), "shapes", "of 4 features, .* query has 3"),
    "keys and values": (lambda: attend(FOUR, FOUR, FOUR[:1]), "shapes", r"\(2, 1, 4\) against"),
    "padding by sentence": (
        lambda: attend(BATCH, key_padding_mask=torch.ones(2, 2).bool()),
        "shapes",
        "there are 3 sentences, and the mask has 2 rows",
    ),
    "mask with four axes": (
        lambda: attend(BATCH, attn_mask=torch.ones(1, 1, 2, 2).bool()),
        "axis",
        "can it do with two",
    ),
    "padding with three axes": (
        lambda: attend(BATCH, key_padding_mask=torch.ones(2, 2, 1).bool()),
        "axis",
        r"\(sentences, keys\), and this one has 3",
    ),
    "keys without sentences": (lambda: attend(BATCH, FOUR, FOUR), "axis", "the query has 3"),
    "heads split before": (lambda: attend(BATCH[None]), "axis", "query has 4 axes"),
    "mask of whole numbers": (
        lambda: attend(BATCH, attn_mask=torch.ones(2, 2).long()),
        "dtype",
        "holds whole numbers",
    ),
    "heads": (lambda: nn.MultiheadAttention(4, 3), "heads", "share the features"),
    "stack": (lambda: torch.stack([ONES, FOUR]), "shapes", r"has \(2, 3\), another \(2, 4\)"),
    "stack of NumPy": (lambda: np.stack([np.ones(2), np.ones(3)]), "shapes", "Arrays that are st"),
    "letter of the result": (
        lambda: torch.einsum("ij->iz", ONES),
        "shapes",
        "the letter z names an axis of the result",
    ),
    "letters of NumPy": (lambda: np.einsum("ij", np.ones(2)), "shapes", "input number 0"),
    "ragged": (lambda: np.array([[1, 2], [3]]), "shapes", "longer than you think"),
    "letter of NumPy's result": (
        lambda: np.einsum("ij->iz", np.ones((2, 2))),
        "shapes",
        "the letter z names an axis of the result",
    ),
    "odd padding": (lambda: nn.functional.pad(ONES, (1,)), "shapes", "Padding comes in pairs"),
    "much padding": (lambda: nn.functional.pad(ONES, (1,) * 6), "shapes", "a pair of paddings"),
    "parts": (
        lambda: eval("ONES.split([1, 1], dim=1)"),
        "shapes",
        r"Axis 1 is 3 long, .* \(1, 1\)",
    ),
    "sizes": (
        lambda: eval("ONES.unflatten(1, (2, 2))"),
        "shapes",
        r"Axis 1 is 3 long, .* \(2, 2\)",
    ),
    "bmm of matrices": (lambda: torch.bmm(ONES, ONES), "axis", "exactly three axes"),
    "mm of stacks": (lambda: torch.mm(BATCH, BATCH), "axis", "exactly two axes"),
    "axis twice": (lambda: ONES.permute(0, 0), "axis", "an axis is named twice"),
    "repeat": (lambda: ONES.repeat(2), "axis", "told of fewer axes"),
    "length of a number": (lambda: len(torch.tensor(1)), "axis", "without any axis"),
    "no such class": (
        lambda: nn.functional.cross_entropy(ONES, torch.tensor([5, 0])),
        "index",
        "right token is number 5",
    ),
    "list by name": (lambda: eval("[1]['a']"), "index", "by something of type `str`"),
    "half an index": (lambda: np.ones(3)[1.0], "index", "counted in whole numbers"),  # type: ignore
    "half a size": (lambda: eval("range(4 / 2)"), "whole", "Which number in line 10"),
    "half a shape": (lambda: eval("nn.Linear(4, 4 / 2)"), "whole", "`//` doesn't"),
    "targets first": (
        lambda: nn.functional.cross_entropy(ONES, torch.ones(2)),
        "dtype",
        "their dtype is Float",
    ),
    "embedded twice": (lambda: nn.Embedding(3, 2)(ONES), "dtype", "gets a FloatTensor"),
    "infinity among whole numbers": (
        lambda: torch.arange(3).masked_fill(torch.ones(3).bool(), -math.inf),
        "dtype",
        "numbers of type int64_t",
    ),
    "put back": (lambda: torch.arange(3).add_(0.5), "dtype", "the type Float, .* of type Long"),
    "put back by NumPy": (
        lambda: np.arange(3).__iadd__(0.5),  # type: ignore[arg-type]
        "dtype",
        "the type float64, .* of type int64",
    ),
    "not of NumPy's": (lambda: np.exp("a"), "dtype", "can't do `exp`"),
    "inverted floats": (lambda: ~ONES, "dtype", "here are floats"),
    "learning whole numbers": (lambda: nn.Parameter(torch.arange(2)), "dtype", "Only floats"),
    "read only": (
        lambda: np.broadcast_to(np.ones(2), (2, 2)).__setitem__(0, 1),
        "read-only",
        "can't be written into",
    ),
    "largest and where": (
        lambda: eval("ONES - ONES.max(dim=1)"),
        "pair",
        "`max` returns two tensors",
    ),
    "none for a tensor": (lambda: eval("torch.exp(None)"), "none", "A tensor is needed here"),
    "minus a boolean": (lambda: -(ONES > 0), "booleans", "no sign"),
    "loss of many": (lambda: backward(LEARNING.exp()), "gradient", "starts from one number"),
    "nothing to learn": (lambda: torch.optim.SGD([]), "optimizer", "given no parameter"),
    "layer of two": (lambda: nn.ReLU()(ONES, ONES), "layer", "`nn.ReLU` takes one tensor"),
    "share to lose": (lambda: nn.Dropout(4), "arguments", "here that should be 4"),
    "no such row": (lambda: nn.Embedding(3, 2, padding_idx=4), "arguments", "has no such row"),
    "not a parameter": (
        lambda: setattr(nn.Linear(2, 2), "weight", ONES),
        "parameter",
        "`weight` is a parameter",
    ),
    "not a module": (lambda: eval("nn.Sequential([nn.ReLU()])"), "not-module", "gets a `list`"),
    "module for a list": (lambda: eval("nn.ModuleList(nn.ReLU())"), "not-module", "gets a `ReLU`"),
    "tensor's method": (
        lambda: eval("np.ones(2).softmax(0)"),
        "library",
        "`softmax`, and an array",
    ),
    "array's method": (lambda: eval("ONES.astype(int)"), "library", "and a tensor of PyTorch"),
    "parts of a number": (lambda: eval("list(3)"), "not-iterable", "a `int` has none"),
    "brackets of a call": (lambda: eval("ONES.size[0]"), "not-subscriptable", "called first"),
    "brackets of a number": (lambda: eval("1.5[0]"), "not-subscriptable", "a `float` has no parts"),
    "no length": (lambda: eval("len(3)"), "no-length", "A `int` has no length"),
    "fixed": (lambda: exec("x = (1, 2); x[0] = 3"), "tuple", "A `tuple` stays as it was made"),
    "zero": (lambda: 1 / int("0"), "zero", "divided by 0"),
    "root of less than 0": (lambda: math.sqrt(-1), "domain", "below 0"),
    "list for a number": (lambda: eval("math.exp([1])"), "numbers", "here is a `list`"),
    "nan for a number": (lambda: int(math.nan), "numbers", "A result is NaN"),
    "largest of none": (lambda: max([]), "empty", "why is it empty"),
    "chances": (lambda: torch.multinomial(-ONES, 1), "multinomial", "or scores"),
    "concatenate": (lambda: eval("(1, 2) + 3"), "operands", "A `tuple` and a `int`"),
    "bracket": (lambda: compile("x = (1,", "", "exec"), "syntax", r"A `\(` has no partner"),
    "indented": (lambda: compile("if 1:\nx", "", "exec"), "syntax", "the same column"),
}


@pytest.mark.parametrize("name", CRASHES)
def test_a_common_exception_is_explained(name: str) -> None:
    crash, tag, meaning = CRASHES[name]
    with pytest.raises(Exception) as caught:
        crash()
    found = explain(str(caught.value), "line 10")
    assert found is not None, str(caught.value)
    assert found.tag == f"crash-{tag}"
    assert re.search(meaning, found.meaning), found.meaning


def test_an_exception_of_the_students_own_is_not_explained() -> None:
    assert explain("I don't know what to do") is None


def test_every_rule_is_the_first_to_explain_one_of_the_exceptions() -> None:
    first = set()
    for crash, _, _ in CRASHES.values():
        try:
            crash()
        except Exception as error:
            first.add(next(each for each, _ in RULES if re.search(each, str(error))))
    assert first == {pattern for pattern, _ in RULES if "Did you mean" not in pattern}


def test_without_a_line_that_line_is_meant() -> None:
    found = explain("operands could not be broadcast together with shapes (2,) () ")
    assert found is not None
    assert found.meaning == "These shapes don't fit: (2,) and (). Print both just before that line."


@pytest.mark.parametrize(
    ("code", "meant"),
    [
        ("np.exps(1)", "Did you mean `exp`?"),
        ("np.ones(3).transpos()", "Did you mean `transpose`?"),
        ("torch.ones(3).contigous()", "Did you mean `contiguous`?"),
        ("nn.Layernorm(3)", "Did you mean `LayerNorm`?"),
        ("nn.functional.sofmax(1)", "Did you mean `softmax`?"),
        ("math.squrt(1)", "Did you mean `sqrt`?"),
        ("[1].apend(2)", "Did you mean `append`?"),
        ("rnage(3)", "Did you mean `range`?"),
        ("itertools.count()", "`itertools` is a module that comes with Python"),
        ("sqrt(2)", "`sqrt` is also the name of something in `math`, `numpy` and `torch`"),
    ],
)
def test_the_name_that_was_probably_meant_is_asked_for(code: str, meant: str) -> None:
    with pytest.raises((AttributeError, NameError)) as caught:
        eval(code)
    found = explain(str(caught.value))
    assert found is not None
    assert meant in found.meaning
    assert found.tag == "crash-misspelt"


@pytest.mark.parametrize(
    "text",
    [
        "module 'numpy' has no attribute 'nothing_like_it'",
        "module 'os' has no attribute 'sistem'",  # no module that the course is about
        "'Mine' object has no attribute 'lauer'",
        "module 'numpy' has no attribute 'exps'. Did you mean: 'exp'?",
        "name 'W_Quers' is not defined",
    ],
)
def test_no_name_is_guessed_where_none_is_near_or_python_has_said_it(text: str) -> None:
    found = explain(text)
    assert found is not None
    assert "Did you mean" not in found.meaning
