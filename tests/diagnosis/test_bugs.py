"""Which known mistakes students find stands in a file of the course."""

from pathlib import Path

import pytest

from autograder.authoring.release import solved_notebook
from autograder.course import Course
from autograder.course.bugs import FILE
from autograder.diagnosis.banks import bugs_of
from autograder.errors import CourseError, ReleaseError
from autograder.grading.fingerprint import difference, parts_that_decide
from autograder.platforms.packaging import bundle
from autograder.testing import Bugs
from tests.toys import SCRIPT, TOYS, course_of

TABLE = f'[Counter]\nassignment = "{TOYS}"\nexercise = "double"\ntags = {{}}\n'
BANK = """
from autograder.testing import Variant

REFERENCE = "def double(x):\\n    return 2 * x\\n"
NOT_MISTAKES = ("rounded", "rounded-coarsely", "plain-list", "list-of-rows", "nothing-returned")
MISCONCEPTIONS = (
    Variant("double-square", "squares", "You square.", {"2 * x": "x * x"}),
    Variant("double-triple", "triples", "You triple.", {"2 * x": "3 * x"}),
)
"""
CELL = '\n\n# %% setup="bugs" folded="Everybody\'s bug" include="bugs of Counter"\n'


def course_with(root: Path, table: str, script: str = SCRIPT) -> Course:
    """Make a course whose exercise `Counter` asks for bugs in `double`, as a `table` says."""
    course = course_of(root, script)
    folder = course.exercises / TOYS / "misconceptions"
    folder.mkdir(exist_ok=True)
    (folder / "double.py").write_text(BANK)
    (course.exercises / TOYS / FILE).write_text(table)
    return course


def test_bugs_are_made_of_the_bank_in_the_order_of_their_tags(tmp_path: Path) -> None:
    course = course_with(tmp_path, TABLE.format('["double-triple", "double-square"]'))
    reference = "def double(x):\n    return 2 * x\n"
    wrong = (reference.replace("2 * x", "3 * x"), reference.replace("2 * x", "x * x"))
    assert bugs_of(course, TOYS) == {"Counter": Bugs("Counter", reference, wrong)}
    (course.exercises / TOYS / FILE).unlink()
    assert bugs_of(course, TOYS) == {}


@pytest.mark.parametrize(
    ("table", "says"),
    [
        (TABLE.format('["double-half"]'), "double has no misconception 'double-half'"),
        (TABLE.replace('"double"', '"Counter"').format("[]"), "toys/Counter, which has no bank"),
        ("[Counter]\ntags = []", "the table Counter needs assignment, exercise, tags"),
        ("Counter = 3", "the table Counter needs assignment, exercise, tags"),
        ("[Counter", "is not valid TOML"),
    ],
)
def test_a_table_that_names_no_bugs_is_one_sentence(tmp_path: Path, table: str, says: str) -> None:
    course = course_with(tmp_path, table)
    with pytest.raises(CourseError, match=says):
        bugs_of(course, TOYS)


def test_a_release_writes_them_where_the_script_asks_for_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    course = course_with(tmp_path, TABLE.format('["double-triple"]'), SCRIPT + CELL)
    cell = solved_notebook(course, TOYS).cells[-1]
    assert cell.source.startswith("#@title Everybody's bug\n")
    assert "3 * x" not in cell.source
    names: dict[str, object] = {}
    exec(f"{cell.source}\nmy_bug('ada')", names)
    assert capsys.readouterr().out == "def double(x):\n    return 3 * x\n"


def test_a_script_that_asks_for_bugs_that_nobody_chose_is_not_released(tmp_path: Path) -> None:
    course = course_with(tmp_path, "", SCRIPT + CELL)
    with pytest.raises(ReleaseError, match=rf"the bugs of Counter: say in {TOYS}/{FILE}"):
        solved_notebook(course, TOYS)


def test_a_bug_that_is_written_otherwise_is_part_of_what_decides_a_score(tmp_path: Path) -> None:
    course = course_with(tmp_path, TABLE.format('["double-triple"]'))
    before = parts_that_decide(course, TOYS)
    path = course.exercises / TOYS / FILE
    path.write_text(TABLE.format('["double-square"]'))
    assert difference(before, parts_that_decide(course, TOYS)) == "the bugs changed"
    path.unlink()
    assert "bugs" not in parts_that_decide(course, TOYS)


def test_a_package_takes_along_the_banks_of_another_assignment_and_none_of_its_tests(
    tmp_path: Path,
) -> None:
    course = course_with(tmp_path, TABLE.replace(TOYS, "earlier").format('["double-triple"]'))
    (course.exercises / TOYS / "misconceptions").rename(course.exercises / "moved")
    earlier = course.exercises / "earlier"
    (earlier / "hidden_tests").mkdir(parents=True)
    (earlier / "hidden_tests" / "test_double.py").write_text("")
    (course.exercises / "moved").rename(earlier / "misconceptions")
    assert list(bugs_of(course, TOYS)) == ["Counter"]
    packed = [name for name in bundle._reduced(course, TOYS) if "earlier" in name]
    assert packed == ["exercises/earlier/misconceptions/double.py"]
