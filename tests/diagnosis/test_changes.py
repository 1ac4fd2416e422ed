"""One small change to an answer, of whatever kind, is among those that are tried."""

import ast

import pytest

from autograder.diagnosis.changes import MAX_NODES, changes_of


def function(*lines: str) -> str:
    return "\n".join(["def f(x, y, mask=None):", *(f"    {line}" for line in lines)])


def kinds(wrong: str, right: str) -> list[tuple[str, int]]:
    """Return the kind and the line of each change that makes `right` of `wrong`."""
    wanted = ast.unparse(ast.parse(right))
    return [(each.kind, each.line) for each in changes_of(wrong) if each.source == wanted]


@pytest.mark.parametrize(
    ("wrong", "right", "kind"),
    [
        ("return np.round(x @ y, 3)", "return x @ y", "less"),
        ("return (x + y).float()", "return x + y", "less"),
        ("return x + y", "return x", "less"),
        ("return np.where(x > 3, x, x / y)", "return x / y", "less"),
        ("return x[:, None]", "return x", "less"),
        ("return x[1:]", "return x[:]", "less"),
        ("return x.sum(axis=0)", "return x.sum(axis=1)", "number"),
        ("return x.sum(axis=0)", "return x.sum(axis=-1)", "number"),
        ("return x.transpose(-1, 1)", "return x.transpose(-1, -2)", "number"),
        ("return mask.bool() * 0.0", "return mask.bool() * -1000000000.0", "number"),
        ("return f(x, dropout=True)", "return f(x, dropout=False)", "truth"),
        ("return x - y", "return x + y", "operator"),
        ("return x < y", "return x <= y", "operator"),
        ("return np.where(mask, x, y)", "return np.where(mask, y, x)", "order"),
        ("return x / y", "return y / x", "order"),
        ("return y, x", "return x, y", "order"),
        ("return x.masked_fill(mask, 0)", "return x.masked_fill(~mask, 0)", "opposite"),
        ("return x @ y", "return x @ y.mT", "transposed"),
        ("return np.matmul(x, y)", "return np.matmul(x, y.mT)", "transposed"),
        ("return x @ y.T", "return x @ y.mT", "transposed"),
        ("return x @ y.t()", "return x @ y.mT", "transposed"),
        ("return torch.cat(x, y, 1)", "return torch.cat([x, y], 1)", "list"),
        ("return x / y", "return x / y[..., None]", "axes"),
        ("return x.view(2) @ y.view(3)", "return x.reshape(2) @ y.reshape(3)", "function"),
        ("return x.max(dim=1, keepdim=True)", "return x.max(axis=1, keepdims=True)", "parameter"),
        ("return math.sin(x), math.cos(y)", "return torch.sin(x), torch.cos(y)", "function"),
        ("return torch.maximum(0, x)", "return torch.maximum(torch.tensor(0), x)", "tensor"),
        ("return criterion(x, y)", "return criterion(x.mT, y)", "transposed"),
        ("return x / y", "return x / y ** 0.5", "root"),
        ("return x[:, y]", "return x[:, y : y + 1]", "axes"),
        ("return x[:, -1]", "return x[:, -1:]", "axes"),
        ("return torch.cat([x, y], 1)", "return torch.cat([x, y[:, None]], 1)", "axes"),
        ("return torch.cat([x, y])", "return torch.cat([x, y], axis=1)", "argument"),
        ("return torch.ones(x).tril()", "return torch.ones(x, x).tril()", "argument"),
        ("return layer(x, mask=mask)", "return layer(x, mask)", "place"),
        ("return self.attention(x) + x", "return self.attention(x)[0] + x", "part"),
        ("return x / x.sum(-1)", "return x / x.sum(-1, keepdims=True)", "argument"),
        ("return x.softmax()", "return x.softmax(dim=-1)", "argument"),
        ("return np.sin(x)", "return np.cos(x)", "function"),
        ("return x.softmax(-1)", "return softmax(x)", "function"),
        ("return (x + y).tril(1)", "return np.tril(x + y, 1)", "function"),
        ("return x - y", "return x ^ y", "operator"),
        ("return 1 - mask", "return ~mask", "opposite"),
        ("return x * x", "return x * y", "name"),
    ],
)
def test_a_slip_in_one_line_can_be_taken_back(wrong: str, right: str, kind: str) -> None:
    assert kinds(function("z = x", wrong), function("z = x", right)) == [(kind, 3)]


def test_two_lines_can_be_exchanged() -> None:
    lines = ("a.step()", "a.zero_grad()", "return a")
    assert kinds(function(*lines), function(lines[1], lines[0], lines[2])) == [("lines", 2)]


def test_one_axis_can_be_another_at_all_its_places() -> None:
    wrong = ("e = np.exp(x - x.max(axis=0))", "return e / e.sum(axis=0)")
    right = [line.replace("axis=0", "axis=-1") for line in wrong]
    assert kinds(function(*wrong), function(*right)) == [("number", 2)]


def test_the_same_slip_in_several_lines_is_one() -> None:
    wrong = ("q = x @ W_Q.T", "k = x @ W_K.T", "return torch.cat([q, k]), torch.cat([k, q])")
    right = [line.replace(".T", "") for line in wrong]
    assert kinds(function(*wrong), function(*right)) == [("less", 2)]
    joined = [line.replace("])", "], axis=1)") for line in wrong]
    assert kinds(function(*wrong), function(*joined)) == [("argument", 4)]


def test_a_change_at_several_places_says_so() -> None:
    wrong, right = (function(f"y = {e}", f"z = {e}", "return z") for e in ("x.T", "x"))
    (made,) = [c for c in changes_of(wrong) if c.source == ast.unparse(ast.parse(right))]
    assert "in line 2 of its cell and in the lines like it" in made.told


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("return np.softmax(x)", "return softmax(x)"),
        ("return math.sin(x)", "return torch.sin(x)"),
        ("return {'score': x, 'z': y}['scor']", "return {'score': x, 'z': y}['score']"),
        ("return msk * x", "return mask * x"),
    ],
)
def test_a_name_is_tried_that_is_like_it(wrong: str, right: str) -> None:
    assert kinds(function(wrong), function(right))


@pytest.mark.parametrize(
    ("lines", "right", "is_tried"),
    [
        (["z = x.relu()", "w = y.relu()", "return z"], "return w", True),  # made alike
        (["z = x @ y", "w = z.relu()", "return z"], "return w", True),  # one of the other
        (["z = x @ y", "w, v = z.shape", "u = len(x)", "return z"], "return u", False),
        (["for z in x:", "    w = y + z", "return w"], "return z", True),
    ],
)
def test_variables_are_exchanged_that_are_bound_alike_or_of_each_other(
    lines: list[str], right: str, is_tried: bool
) -> None:
    assert bool(kinds(function(*lines), function(*lines[:-1], right))) == is_tried


@pytest.mark.parametrize("call", ["nn.Linear(2, 3)", "x.transpose(1, 2)", "torch.zeros(2)"])
def test_no_part_is_taken_of_what_is_one_thing(call: str) -> None:
    assert "part" not in {each.kind for each in changes_of(function(f"return {call}"))}


def test_a_line_can_leave_a_loop_or_enter_it() -> None:
    inside = function("for i in x:", "    y += i", "    return y")
    outside = function("for i in x:", "    y += i", "return y")
    assert kinds(inside, outside) == [("indentation", 4)]
    assert kinds(outside, inside) == [("indentation", 4)]


def test_one_attribute_of_a_module_is_tried_in_the_place_of_another() -> None:
    module = (
        "class M(nn.Module):\n    def __init__(self):\n"
        "        self.first = nn.Linear(2, 2)\n        self.second = nn.Linear(2, 2)\n"
        "    def forward(self, x):\n        return self.first(x)"
    )
    right = module.replace("return self.first", "return self.second")
    assert kinds(module, right) == [("name", 6)]


def test_a_place_is_in_the_cell_as_the_student_sees_it() -> None:
    wrong = function("# the sum", "", "return (x", "    - y)")
    right = function("return x + y")
    assert kinds(wrong, right) == [("operator", 4)]


def test_what_stands_outside_functions_is_left_alone() -> None:
    assert not any("7" in each.source for each in changes_of("n = 6\ndef f(x):\n    return x"))
    assert changes_of("numbers = [1.5, 2.5]") == []


def test_no_change_is_the_answer_itself_or_stands_there_twice() -> None:
    answer = function("return x * 2 + y * 2")
    sources = [each.source for each in changes_of(answer)]
    assert ast.unparse(ast.parse(answer)) not in sources
    assert len(set(sources)) == len(sources)


def test_nothing_is_tried_with_what_is_no_python_or_too_long() -> None:
    assert changes_of("def f(x:") == []
    assert changes_of(function("return x", *["y = x + 1"] * MAX_NODES)) == []
