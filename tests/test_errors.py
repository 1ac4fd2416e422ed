"""Words of sentences: names that students wrote, which no terminal obeys, and rounded points."""

import pytest

from autograder.errors import SubmissionError, in_digits, shown


def test_a_name_is_one_line_that_a_terminal_does_not_obey() -> None:
    assert shown("\x1b[31mred\n\u202eevil\ud83d\x9b2J") == r"\x1b[31mred\n\u202eevil\ud83d\x9b2J"
    assert shown("日本 ñ [red]") == "日本 ñ [red]"


def test_no_error_carries_terminal_codes_though_it_may_have_lines() -> None:
    assert str(SubmissionError("a\x1b]0;x\x07\n\tb")) == "a\\x1b]0;x\\x07\n\tb"


@pytest.mark.parametrize(
    ("points", "text"),
    [
        (0, "0"), (7, "7"), (10, "10"), (100, "100"), (8.5, "8.5"), (0.1 + 0.2, "0.3"),
        (10 / 3, "3.3333"), (1234567, "1234567"), (-0.5, "-0.5"), (-0.00001, "0"),
    ],
)  # fmt: skip
def test_points_are_written_plainly(points: float, text: str) -> None:
    assert in_digits(points) == text
