"""Names that students wrote are shown to people, and obeyed by no terminal."""

from autograder.errors import SubmissionError, shown


def test_a_name_is_one_line_that_a_terminal_does_not_obey() -> None:
    assert shown("\x1b[31mred\n\u202eevil\ud83d\x9b2J") == r"\x1b[31mred\n\u202eevil\ud83d\x9b2J"
    assert shown("日本 ñ [red]") == "日本 ñ [red]"


def test_no_error_carries_terminal_codes_though_it_may_have_lines() -> None:
    assert str(SubmissionError("a\x1b]0;x\x07\n\tb")) == "a\\x1b]0;x\\x07\n\tb"
