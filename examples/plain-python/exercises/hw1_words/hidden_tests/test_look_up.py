"""Hidden tests of `look_up`: where it ends, how few looks it takes, and each of them."""

from __future__ import annotations

import numpy as np

from autograder.testing import Student, expect, points


def drawn_words(rng: np.random.Generator, number: int) -> list[str]:
    """Draw so many words of five letters, sorted, each once."""
    words: set[str] = set()
    while len(words) < number:
        words.add("".join(rng.choice([*"abcdefgh"], 5).tolist()))
    return sorted(words)


def looks(words: list[str], word: str, before: int = 0) -> list[int]:
    """Return the looks by taking the list apart; so many words stand before it."""
    middle = len(words) // 2
    if words[middle] == word:
        return [before + middle]
    if words[middle] < word:
        rest, more = words[middle + 1 :], before + middle + 1
    else:
        rest, more = words[:middle], before
    return [before + middle, *looks(rest, word, more)]


@points(1)
def test_the_last_look_finds_the_word(student: Student, rng: np.random.Generator) -> None:
    """Each of nine drawn words is found where it stands."""
    words = drawn_words(rng, 9)
    found = [student.look_up(words, word) for word in words]
    assert all(isinstance(each, list) and each for each in found), (
        "A list of positions is asked for, one for each look. What comes back is something else."
    )
    expect.equal(
        [each[-1] for each in found],
        list(range(9)),
        "Your last look isn't where the word stands. Follow your code with three words on paper.",
    )


@points(2)
def test_each_look_is_in_the_middle_of_what_is_left(
    student: Student, rng: np.random.Generator
) -> None:
    """Of 300 drawn words, every one is found with the looks that a list taken apart gives."""
    words = drawn_words(rng, 300)
    for number in rng.permutation(300)[:6].tolist():
        expect.equal(
            student.look_up(words, words[number]),
            looks(words, words[number]),
            "The word is somewhere in what is left, and each look should halve that. Print what is "
            "left after each of yours: where is its middle?",
        )


@points(1)
def test_what_is_not_there_is_refused(student: Student, rng: np.random.Generator) -> None:
    """For a word that isn't there, a LookupError is raised."""
    words = drawn_words(rng, 9)
    for missing in ("a", "dz", "z"):  # before all others, among them, behind them
        with expect.raises(LookupError, "Nothing is left, and the word wasn't there: say so."):
            student.look_up(words, missing)
