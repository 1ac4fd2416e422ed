"""No text of a student's keeps the grader busy: what looks for patterns in it takes linear time."""

import multiprocessing
import resource
from collections.abc import Callable

import pytest

from autograder.diagnosis.agreement import error_words
from autograder.intake.code import python_of
from autograder.intake.names import names_in
from autograder.report import CellOutput, ExerciseReport, Outcome, Verdict
from autograder.testing.failures import StudentRaised, cell_error, explain

LENGTH, SECONDS = 300_000, 10
UNITS = (
    *("1", "a", " ", ".", "-", "1.", "1.5 ", "1e", "1,", ",", "\t1", "(", "[", "`", "'", "\n"),
    *("<script", "\n%", "\n! ", "not aligned: "),
    *(
        "\x1b[0",
        "\x1b]",
        "\x1b",
        "not aligned: 1 ",
        "not aligned: 1  != ",
        "not aligned: 1 (dim 1) != 2",
        "(size 1 is ",
    ),
    *("name 'a", "shapes (", "index 1 is out of bounds for axis 1 with size ", "'a' object "),
)


def _words(text: str) -> object:
    return error_words({"error": {"type": text, "message": text}})


def _raised(text: str) -> object:
    return StudentRaised("f", {"type": text, "message": text, "function": text, "bases": [text]})


def _reasons(text: str) -> object:
    verdict = Verdict(
        name="t", title="T", outcome=Outcome.FAILED, score=0, max_score=1, message=text
    )
    return ExerciseReport.of("f", (verdict,)).reasons()


READERS: list[Callable[[str], object]] = [
    _words,
    _raised,
    _reasons,
    explain,
    python_of,
    names_in,
    lambda text: cell_error({"type": text, "message": text}),
    lambda text: CellOutput(cell="f", text=text, error=text),
]


def _read_all(read: Callable[[str], object]) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    for unit in UNITS:
        read(unit * (LENGTH // len(unit)) + "x")


@pytest.mark.slow
@pytest.mark.parametrize("read", READERS)
def test_a_long_text_of_any_kind_is_read_in_a_moment(read: Callable[[str], object]) -> None:
    child = multiprocessing.get_context("fork").Process(target=_read_all, args=(read,))
    child.start()
    child.join()
    assert child.exitcode == 0
