"""Answers are alike only if nothing in which they differ could matter."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.desk.books import AnswerText

SAME = [
    ("Because of it.", "because of  it"),
    ("**Because** of `it`!", "Because of it"),
    ("1. Because\n2. of it", "1 because\n\n2 of it"),
    ("- one\n- two", "one\ntwo"),
    ("# Why\nIt is so.", "why it is so"),
    ("$d_k$ grows", "d_k grows"),
    ("\\sqrt{x}", "sqrt{x}"),
    ("é", "é"),
]
OTHER = [
    ("It grows.", "It does not grow."),
    ("x < y", "x > y"),
    ("a - b", "a + b"),
    ("a b", "a - b"),
    ("1.5", "15"),
    ("1/2", "12"),
    ("x**2", "x2"),
    ("2 * 3", "2 3"),
    ("(a + b) / c", "a + b / c"),
    ("x²", "x2"),
    ("dog bites man", "man bites dog"),
    ("−1", "1"),
    ("- 1", "1"),
    ("> 5", "5"),
    ("", "x"),
]


def alike(text: str) -> str:
    return AnswerText.of(text).alike


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_differs_in_nothing_that_matters_is_alike(one: str, other: str) -> None:
    assert alike(one) == alike(other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_what_may_mean_something_else_is_not_alike(one: str, other: str) -> None:
    assert alike(one) != alike(other)


@given(st.text("ab1 <>+-*/^=()\n"), st.text("ab1 <>+-*/^=()\n"))
def test_answers_with_other_words_numbers_or_signs_are_never_alike(one: str, other: str) -> None:
    if alike(one) == alike(other):
        assert set(one) - set("-* \n") == set(other) - set("-* \n")
