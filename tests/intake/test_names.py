"""What a cell binds and reads is found in whatever of it is Python."""

import pytest

from autograder.intake.names import Names, names_in
from autograder.sandbox.limits import MAX_TEXT


def test_names_of_cells_with_magics_are_found() -> None:
    source = "%%time\n!pip install x\ny = a()\n%matplotlib inline\n%time z = b()"
    assert names_in(source) == Names(frozenset("yz"), frozenset("ab"))


@pytest.mark.parametrize("source", ["%%html\n<b>a</b>", "%%bash\na=1", "def a(", "a = \0"])
def test_what_is_not_python_has_no_names(source: str) -> None:
    assert names_in(source) == Names()


def test_a_source_too_long_to_be_run_is_not_parsed() -> None:
    line = "def f(): return x\n"
    assert names_in(line) == Names(frozenset({"f"}), frozenset({"x"}))
    assert names_in(line * (MAX_TEXT // len(line) + 1)) == Names()
