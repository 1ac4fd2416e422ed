"""Sources of ours are run in the grader's process, and one that raises is the course's mistake."""

import math

import pytest

from autograder.errors import CourseError
from autograder.sandbox.host.in_process import InProcess

BROKEN = "\ndef late():\n    return 1\nnothing\ndef later():\n    return 2"


def test_a_source_of_ours_that_raises_is_a_course_error_that_names_the_cell() -> None:
    says = (
        r"the cell that begins `def late\(\):` raised NameError \(name 'nothing' is not defined\)"
    )
    with pytest.raises(CourseError, match=says):
        InProcess(["x = 1", BROKEN])


def test_of_a_package_that_is_missing_it_says_where_to_list_it() -> None:
    with pytest.raises(CourseError, match=r"not_there.* list it in requirements\.txt"):
        InProcess(["import not_there"])


def test_an_answer_that_raises_is_graded_on_what_it_defined_before() -> None:
    channel = InProcess([BROKEN], may_raise=True)
    asked = channel.ask({"op": "defined", "names": ["late", "later"]})
    assert asked["value"] == ["late"]


def test_what_was_guarded_is_as_it_was_when_the_channel_is_closed() -> None:
    before = math.fsum
    channel = InProcess([], ["math.fsum"])
    assert math.fsum is not before
    channel.close()
    assert math.fsum is before
