"""After each grading, a table says whose points differ from those told last, and why."""

import csv

import pytest

from autograder.gradebook.changes import Change, changes_since, write_changes
from autograder.gradebook.deciding import decide, restore
from autograder.gradebook.decisions import Kind, Wish
from autograder.gradebook.feedback import write_feedback
from autograder.gradebook.recording import record
from autograder.report import Outcome
from tests.commands import autograder
from tests.gradebook.books import give, grade
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS, WRONG, with_settings

pytestmark = pytest.mark.slow  # each makes a class of its own, which takes a second

PASSED, FAILED = Outcome.PASSED, Outcome.FAILED
ALL_BUT_ONE = [FAILED, *8 * [PASSED]]
LATE = "late = { per_day = 0.5 }\n[assignments.toys]\ndue = 2026-02-01T12:00:00Z\n"


def told(toys: ToyClass) -> list[tuple[str, str, str, str, str]]:
    found = changes_since(toys.course, [TOYS])
    return [(each.student, each.exercise, each.old, each.new, each.why) for each in found]


def test_a_first_grading_is_no_change_and_nothing_is_told_twice(toys: ToyClass) -> None:
    grade(toys, "a", *ALL_BUT_ONE, why="Because.")
    assert told(toys) == []
    give(toys.course, "a", "why", 1)  # the first points for this answer
    grade(toys, "b", *ALL_BUT_ONE)
    assert told(toys) == []
    grade(toys, "a", *9 * [PASSED], why="Because.", Counter=RIGHT["Counter"] + "\n# mine")
    assert told(toys) == [("a", "double", "4/5", "5/5", "handed in again")]
    assert told(toys) == []


def test_each_cause_has_its_words(toys: ToyClass) -> None:
    grade(toys, "a", *ALL_BUT_ONE)
    assert told(toys) == []
    report = toys.report("a", *9 * [PASSED])
    other = report.fingerprint | {"hidden tests": "another"}
    record(toys.course, [report])
    assert told(toys)[0][-1] == "graded again"
    changed = toys.report("a", *ALL_BUT_ONE).model_copy(update={"fingerprint": other})
    (toys.course.reports / TOYS / "a.json").write_text(changed.to_json())
    record(toys.course, [changed])
    assert told(toys) == [("a", "double", "5/5", "4/5", "the hidden tests changed")]
    give(toys.course, "a", "double_test", 2)
    assert told(toys) == [("a", "double", "4/5", "2/5", "points by hand")]


def test_what_was_decided_and_taken_back_is_told_with_its_reason(toys: ToyClass) -> None:
    grade(toys, "a", *ALL_BUT_ONE)  # recorded by a version that told nothing
    wish = Wish(Kind.LEAVE_OUT, TOYS, "double", "test_0")
    decide(toys.course, wish, "It asked too much", "grace")
    assert told(toys) == [("a", "double", "4/5", "4/4", "decision 1: It asked too much")]
    restore(toys.course, 1, "grace")
    write_feedback(toys.course, [TOYS])  # whatever is done in between
    assert told(toys) == [("a", "double", "4/4", "4/5", "decision 1 taken back")]


def test_a_late_policy_that_changed_is_told_though_no_points_were(toys: ToyClass) -> None:
    toys.hand_in("a", RIGHT)
    time = toys.course.submission_path("a", TOYS).with_name("timestamp.txt")
    time.write_text("2026-02-01 13:00:00 UTC")
    assert record(toys.course, [toys.report("a", *9 * [PASSED])]) == []
    assert told(toys) == []
    late = ToyClass(with_settings(toys.course.root, LATE))
    write_feedback(late.course, [TOYS])
    assert told(late) == [("a", "late penalty", "0", "4.5", "dates or the late policy")]


def test_the_table_is_a_file_of_its_own_in_which_nothing_is_a_formula(toys: ToyClass) -> None:
    change = Change(TOYS, "a", "double", 4, 5, None, 5, "=1+1")
    paths = [write_changes(toys.course, [change]) for _ in range(2)]
    assert paths[0] != paths[1]
    rows = list(csv.reader(paths[0].read_text().splitlines()))
    assert rows[1] == [TOYS, "a", "double", "4", "5", "", "5", "'=1+1"]


def test_the_command_shows_a_table_of_80_columns_and_grades_nothing(toys: ToyClass) -> None:
    for number in range(25):
        toys.hand_in(f"student{number}", WRONG)
    reports = [toys.report(f"student{number}", *ALL_BUT_ONE) for number in range(25)]
    assert record(toys.course, reports) == []
    words = ("drop", TOYS, "double", "test_0", "--reason", "An unlucky choice of words " * 3)
    done = autograder(toys.course.root, *words, COLUMNS="80")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert max(len(line) for line in lines[1:]) <= 80
    assert "and 5 more" in lines
    assert "[1/" not in done.stderr  # as `grade` counts
    (path,) = toys.course.reports.glob("changes-*.csv")
    assert len(path.read_text().splitlines()) == 1 + 25


def test_only_the_pages_of_an_assignment_about_which_something_was_decided_are_written_again(
    toys: ToyClass,
) -> None:
    for student, outcomes in {"a": ALL_BUT_ONE, "b": 9 * [PASSED]}.items():
        grade(toys, student, *outcomes)
    write_feedback(toys.course, [TOYS])
    time = toys.course.feedback_path("b", TOYS).stat().st_mtime_ns
    grade(toys, "a", *9 * [PASSED])
    result = write_feedback(toys.course, [TOYS])
    assert (result.new, result.unchanged) == (1, 1)
    assert toys.course.feedback_path("b", TOYS).stat().st_mtime_ns == time
