"""Grades as a table of their own: a row a student, totals or a column an exercise."""

import csv
import io
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.course.roster import FILE, Person, Section, write_roster
from autograder.course.sheets import number_in
from autograder.errors import CourseError
from autograder.platforms.exporting import export_points
from autograder.platforms.points import Choices, Exported
from tests.course.test_sheets import cells_of, is_obeyed
from tests.platforms.graded import MARKS, POINTS, UNGRADED
from tests.toy_class import ToyClass
from tests.toys import TOYS


def rows_of(raw: bytes, key: str) -> dict[str, dict[str, str]]:
    rows = csv.DictReader(io.StringIO(raw.decode(), newline=""))
    return {row[key]: row for row in rows}


def table(
    course: Course, choices: Choices | None = None, target: str = "csv", *names: str
) -> tuple[bytes, Exported]:
    path, done = export_points(course, target, names, choices or Choices(), None)
    return path.read_bytes(), done


def test_everybody_has_a_row_with_the_total_and_how_far_grading_is(graded: Course) -> None:
    raw, done = table(graded)
    rows = rows_of(raw, "student_id")
    assert set(rows) == {*MARKS, "absent"}
    assert {name: row["toys"] for name, row in rows.items() if row["toys"]} == POINTS
    assert {row["toys max"] for name, row in rows.items() if name != "absent"} == {"11"}
    assert rows["absent"]["toys status"] == "not handed in"
    assert [rows[name]["toys status"] for name in UNGRADED] == 2 * ["not graded yet"]
    assert (done.grades, done.blank) == (8, 2)


def test_each_exercise_has_a_column_and_what_waits_is_empty(graded: Course) -> None:
    raw, _ = table(graded, Choices(by_exercise=True), "csv", TOYS)
    rows = rows_of(raw, "student_id")
    for student, (double, counter, written, penalty) in MARKS.items():
        expected = [float(double), float(counter), written, float(penalty)]
        if student == "faulty":
            expected[0] = None
        titles = ("double", "Counter", "why", "late penalty")
        assert [number_in(rows[student][f"toys: {title}"]) for title in titles] == expected
    assert [rows["absent"][f"toys: {title}"] for title in ("double", "late penalty")] == ["", ""]


def test_the_table_of_a_section_is_a_file_of_its_own(graded: Course) -> None:
    section = Section.of([Person("ada", section="Lab 1"), Person("bo", section="Lab 1")], "lab 1")
    path, done = export_points(graded, "csv", [], Choices(section=section), None)
    assert path == graded.root / "exports" / "grades-section-lab-1.csv"
    assert set(rows_of(path.read_bytes(), "student_id")) == {"ada"}
    assert done.grades == 1


def test_gradescopes_table_goes_by_its_own_ids(graded: Course) -> None:
    raw, _ = table(graded, None, "gradescope")
    rows = rows_of(raw, "SID")
    assert (rows["9001"]["Name"], rows["9001"]["toys"]) == ("Ada Lovelace", "11")
    assert rows["9006"]["toys - Max Points"] == "11"
    assert rows["107"]["toys"] == "4"


def test_two_folders_of_one_student_are_two_rows(graded_copy: ToyClass) -> None:
    graded_copy.hand_in("ADA", {})
    raw, _ = table(graded_copy.course)
    rows = rows_of(raw, "student_id")
    assert (rows["ada"]["toys"], rows["ADA"]["toys status"]) == ("11", "not graded yet")


def test_the_table_goes_to_exports_or_where_it_is_told(graded: Course, tmp_path: Path) -> None:
    path, _ = export_points(graded, "csv", [], Choices(), None)
    assert path == graded.root / "exports" / "grades.csv"
    out = tmp_path / "new" / "mine.csv"
    assert export_points(graded, "gradescope", [TOYS], Choices(), out)[0] == out
    assert "Ada Lovelace,9001" in out.read_text()


def test_before_anybody_handed_in_there_is_nothing_to_export(toys: ToyClass) -> None:
    with pytest.raises(CourseError, match="nobody has handed anything in"):
        table(toys.course)


def test_points_of_an_earlier_version_are_given_to_nobody(graded_copy: ToyClass) -> None:
    graded_copy.hand_in("ada", {})
    raw, _ = table(graded_copy.course, Choices(partial=True, by_exercise=True))
    rows = rows_of(raw, "student_id")
    assert (rows["ada"]["toys"], rows["ada"]["toys: double"]) == ("", "")
    assert (rows["sean"]["toys"], rows["sean"]["toys: double"]) == ("8.5", "3")


@pytest.mark.parametrize("target", ["csv", "gradescope"])
def test_no_name_is_a_formula_in_a_table_whatever_separates_its_cells(
    graded_copy: ToyClass, target: str
) -> None:
    course, name = graded_copy.course, 'Ada;=1+1\t+2,"=3"\n@x'
    write_roster(course.root / FILE, [Person("s1", name, "=4@x.edu", gradescope_sid="a|-5")])
    raw, _ = table(course, Choices(by_exercise=True), target)
    assert "1+1" in raw.decode()
    assert [cell for cell in cells_of(raw) if is_obeyed(cell)] == []
