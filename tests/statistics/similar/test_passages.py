"""Own names, comments and layout make no difference; what is given is nobody's own."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from autograder.statistics.similar.passages import LENGTH, Passages, imported, tokens_of

CODE = '''\
def double(x):
    """Twice x."""
    total = np.sum(x) + len(x)  # mine
    return total * 2
'''
RENAMED = """\
def double(values):
    s = np.sum(values) + len(values)

    return s * 2
"""


def passages(code: str) -> set[tuple[str, ...]]:
    return set(Passages.of(tokens_of(code, {"np"})).lines)


def test_other_names_comments_and_layout_are_the_same_passages() -> None:
    assert passages(CODE) == passages(RENAMED)


def test_what_is_called_and_computed_makes_a_difference() -> None:
    for old, new in (("np.sum", "np.prod"), ("len", "max"), ("* 2", "* 3"), ("+", "-")):
        assert passages(CODE) != passages(CODE.replace(old, new))


def test_exchanged_lines_leave_most_passages() -> None:
    lines = [f"a{n} = np.f{n}(x) + np.g{n}(x)" for n in range(6)]
    one, other = passages("\n".join(lines)), passages("\n".join(reversed(lines)))
    assert len(one & other) > len(one) / 2


def test_what_is_given_is_nobodys_own() -> None:
    stub = Passages.of(tokens_of("def double(x):\n    raise NotImplementedError()", {"np"}))
    mine = Passages.of(tokens_of(CODE, {"np"}), stub.lines)
    assert ("def", "name", "(", "name") in passages(CODE)
    assert ("def", "name", "(", "name") not in mine.lines


def test_a_passage_knows_its_lines() -> None:
    found = Passages.of(tokens_of(CODE, {"np"}))
    assert found.lines_of([("np", ".", "sum", "(")]) == {3}
    assert found.lines_of([("name", ")", "return", "name")]) == {3, 4}


def test_imported_names_are_known() -> None:
    assert imported(["import numpy as np\nimport os.path", "from torch import nn, optim as o"]) == {
        *("np", "os", "nn", "o")
    }


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 9)), max_size=30))
def test_every_run_of_tokens_is_a_passage(tokens: list[tuple[str, int]]) -> None:
    found = Passages.of(tokens)
    runs = [tokens[n : n + LENGTH] for n in range(len(tokens) - LENGTH + 1)]
    assert set(found.lines) == {tuple(text for text, _ in run) for run in runs}
    assert sum(map(len, found.lines.values())) == len(runs)
