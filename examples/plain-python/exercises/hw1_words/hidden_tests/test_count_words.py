"""Hidden tests of `count_words`: one idea at a time, then a drawn text of all of them."""

from __future__ import annotations

import numpy as np

from autograder.testing import Student, expect, points

WORDS = ["tea", "milk", "sugar", "lemon", "o'clock"]


@points(1)
def test_each_word_is_counted(student: Student, rng: np.random.Generator) -> None:
    """Words in small letters, between blanks, are counted."""
    words = rng.choice(WORDS, 40).tolist()
    expect.equal(
        student.count_words(" ".join(words)),
        {word: words.count(word) for word in words},
        "Count the words of a short sentence by hand. Which of your numbers differs?",
    )


@points(1)
def test_capitals_make_no_difference(student: Student, rng: np.random.Generator) -> None:
    """`Tea`, `TEA` and `tea` are one word."""
    number = int(rng.integers(2, 9))
    expect.equal(
        student.count_words("Tea TEA " + number * "tea "),
        {"tea": number + 2},
        "At its beginning, a sentence writes a word with a capital. Is that another word for you?",
    )


@points(2)
def test_signs_at_the_ends_belong_to_no_word(student: Student, rng: np.random.Generator) -> None:
    """Signs at the ends are left out, one inside stays, and a sign alone is no word."""
    words = rng.choice(WORDS, 30).tolist()
    signs = rng.choice([*".,;:!?", "", "?!"], 30).tolist()
    text = " ".join(word + sign for word, sign in zip(words, signs, strict=True))
    expect.equal(
        student.count_words(f"{text} ; ..."),
        {word: words.count(word) for word in words},
        "Print the words that you count: does each stand there as a dictionary would write it?",
    )
