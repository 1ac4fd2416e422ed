"""Answers are alike only if nothing in which they differ could matter."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.desk.alike import AnswerText

SAME = [
    ("Because of it.", "because of  it"),
    ("**Because** of `it`.", "Because of it"),
    ("**The reason:** it is so", "the reason it is so"),
    ("1. Because\n2. of it", "1 because\n\n2) of it"),
    ("# Why\nIt is so, and why.", "why it is so and why"),
    ("$d_k$ grows", "d_k grows"),
    ("\\sqrt{x}", "sqrt{x}"),
    ("It doesn’t", "it doesn't"),
    ("é", "é"),
]
OTHER = [
    ("It grows.", "It does not grow."),
    ("It does", "It doesn't"),
    ("x < y", "x > y"),
    ("x != y", "x = y"),
    ("if not p", "if p"),
    ("!p and q", "p and q"),
    ("a - b", "a + b"),
    ("a b", "a - b"),
    ("a . b", "a b"),
    ("a, b", "a b"),
    ("n! ways", "n ways"),
    ("Q K'", "Q K"),
    ("Q K^T", "q k^T"),
    ("QK", "qk"),
    ('f"', "f"),
    ("x_1", "x1"),
    ("a \\ b", "a b"),
    ("1.5", "15"),
    (".5", "5"),
    ("0,5", "0 5"),
    ("1:2", "1 2"),
    ("1/2", "12"),
    ("$1$5", "15"),
    ("a\\bc", "abc"),
    ("x**2", "x2"),
    ("x **ab", "x ab"),
    ("aa **bb** cc", "aa bb cc"),
    ("2 *ab* 3", "2 ab 3"),
    ("2 * 3", "2 3"),
    ("(a + b) / c", "a + b / c"),
    ("x²", "x2"),
    ("dog bites man", "man bites dog"),
    ("−1", "1"),
    ("- 1", "1"),
    ("- log p", "log p"),
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


TEXTS = st.text("abQ1. <>+-*/^=()!'~|&%_\\\n", max_size=12)
OPERATORS = str.maketrans("", "", "abQ1. \n\\")


@given(TEXTS, st.data())
def test_an_answer_with_a_sign_or_a_digit_more_is_never_alike(
    one: str, data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(one)))
    other = one[:place] + data.draw(st.sampled_from("1<>+-*/^=()!'~|&%_")) + one[place:]
    assert alike(one) != alike(other)


@given(TEXTS, TEXTS)
def test_alike_answers_have_the_same_operators_and_numbers(one: str, other: str) -> None:
    if alike(one) == alike(other):
        assert one.translate(OPERATORS) == other.translate(OPERATORS)
        numbers = [re.findall(r"(?<!\w)\.?\d+(?:\.\d+)*", text) for text in (one, other)]
        assert numbers[0] == numbers[1]
