"""Find the bug: each student reads a known mistake, and writes an input on which it shows.

The mistakes are those of an earlier exercise's bank. Which they are stands in a course's
`bugs.toml`; a release writes them into the notebook, where `own_bug` shows each student theirs. A
hidden test runs that one, and the reference, on the student's input.
"""

import base64
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from autograder.testing.comparison import describe, is_equal, is_finite, oddity
from autograder.testing.examples import Implementation
from autograder.testing.failures import StudentRaised
from autograder.testing.own_bug import key_of, number_of

T = TypeVar("T")

CLEARLY = 1e-3  # of max(1, |number|): what differs by less might do so by rounding
SAME = 1e-6  # what differs by less is equal: float32 has no more digits


@dataclass(frozen=True)
class Bugs:
    """The wrong implementations of which each student finds one, and a right one.

    `exercise` is the name of the one that asks for it; `reference` and `wrong` are sources.
    """

    exercise: str
    reference: str
    wrong: tuple[str, ...]

    def of(self, student_id: Any) -> str:
        """Return the source that belongs to a student's id.

        Raises `AssertionError` if that is no text, or a blank one.
        """
        assert isinstance(student_id, str) and key_of(student_id), (
            "Your id should be a text: the one by which your bug was drawn. Without it nobody can "
            "tell which bug is yours."
        )
        return self.wrong[number_of(student_id, self.exercise, len(self.wrong))]

    def found_in(self, answer: Any, called: str, read: Callable[[Any], T]) -> tuple[str, T]:
        """Return the source of a student's bug, and what `read` makes of the input that they found.

        The answer is their id, the input, which is `called` so, and a sentence. Raises
        `AssertionError` if one of them isn't there, and whatever `read` does.
        """
        assert isinstance(answer, (tuple, list)) and len(answer) == 3, (
            f"Three things should come back, your id, {called} and a sentence, but you return "
            f"{describe(answer)}."
        )
        student_id, given, sentence = answer
        wrong, inputs = self.of(student_id), read(given)
        assert isinstance(sentence, str) and sentence.strip(), (
            "The sentence is missing that says what is wrong. Nobody grades it: what would you "
            "tell the author of this bug?"
        )
        return wrong, inputs

    @property
    def packed(self) -> str:
        """The wrong implementations, as `own_bug` unpacks them."""
        raw = json.dumps([self.exercise, *self.wrong]).encode()
        return base64.b64encode(zlib.compress(raw, 9)).decode()


def expect_difference(right: Implementation, wrong: Implementation, *inputs: Any) -> None:
    """Require that two implementations clearly differ on some inputs, which the right one can use.

    They do if the wrong one breaks off, or returns another type or size, or a number that is
    further off than rounding could be.
    """
    try:
        wanted = right(*inputs)
    except StudentRaised as error:
        raise AssertionError(
            f"On your input, a right implementation breaks off, too ({error.type_name}). Do the "
            "sizes fit together?"
        ) from None
    assert is_finite(wanted), (
        "On your input, a right implementation returns nan or an infinite number, too. Choose one "
        "that it can work with."
    )
    try:
        found = wrong(*inputs)
    except StudentRaised:
        return
    if oddity(found, wanted) or not is_equal(found, wanted, CLEARLY):
        return
    assert is_equal(found, wanted, SAME), (
        "On your input, your bug returns something else than a right implementation, but the "
        "difference is so small that rounding might make it. Make it larger."
    )
    raise AssertionError(
        "On your input, your bug returns what a right implementation does. Read it line by line: "
        "which one is wrong, and what does an input need, so that this line makes a difference?"
    )
