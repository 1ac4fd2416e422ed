"""The gradebook that Canvas exported comes back with points, and otherwise byte for byte."""

import csv
import io
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.course.roster import Person, Section
from autograder.errors import CourseError
from autograder.platforms.canvas import fill_gradebook
from autograder.platforms.exporting import export_points
from autograder.platforms.points import Choices
from tests.platforms.graded import POINTS
from tests.toy_class import ToyClass
from tests.toys import TOYS, with_settings

HEADER = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Toys (7001),Essay (7002),"
    "Assignments Current Score,Final Score\r\n"
)
POSTING = ",,,,,Manual Posting,,,\r\n"
POSSIBLE = "    Points Possible,,,,,11.00,20.00,(read only),(read only)\r\n"
# A line for each student, with what Canvas has for toys left out at {}.
LINES = {
    "ada": '"Lovelace, Ada",101,S101,ada@uni.example,"A, and B",{},20.00,1,2\r\n',
    "sean": '"O\'Brien, Seán",102,S102,sean,A,{},,,\r\n',
    "wei2": '"Zhang, Wei",104,S104,wei2,A,{},,,\r\n',
    "wei1": '"Zhang, Wei",103,S103,wei1,B,{},,,\r\n',
    "mei": '"梅, 林",205,S105,lin,B,{},,,\r\n',
    "late": '"Díaz, Jr., Luis",206,,luis,B,{},,,\r\n',
    "107": '"=""=SUM(A1)""",107,,x,B,{},,,\r\n',
    "unread": '"Khan, Noor ""N""",108,,noor,B,{},,,\r\n',
    "faulty": '"Öz, Emre",109,,emre,B,{},,,\r\n',
    "absent": '"Holm, Bo",110,,bo,B,{},,,\r\n',
    "": '"Student, Test",999,,4f5e,B,{},,,\r\n',
}
Fill = Callable[..., tuple[str, list[str]]]


def gradebook_of(**cells: str) -> str:
    """Return the file that Canvas exports, with these cells for toys, by student."""
    return HEADER + POSTING + POSSIBLE + "".join(
        line.format(cells.get(f"s{student}", "")) for student, line in LINES.items()
    )  # fmt: skip


def filled(
    course: Course, folder: Path, text: str, choices: Choices | None = None, *names: str
) -> tuple[str, list[str]]:
    """Fill a file of this text; return the text that it has then, and the notes."""
    file = folder / "canvas.csv"
    file.write_bytes(text.encode())
    raw, done = fill_gradebook(course, file, names, choices or Choices())
    return raw.decode(), done.notes


@pytest.fixture
def fill(graded: Course, tmp_path: Path) -> Fill:
    """Fill a file of this text from the graded class."""
    return partial(filled, graded, tmp_path)


def test_of_a_section_only_its_own_lines_are_filled_and_told_about(
    graded: Course, tmp_path: Path
) -> None:
    section = Section.of([Person("ada", section="A"), Person("absent", section="A")], "A")
    text, notes = filled(graded, tmp_path, gradebook_of(), Choices(section=section))
    assert text == gradebook_of(sada="11")
    assert notes == ["toys: in canvas.csv, but nothing of theirs was collected: Bo Holm."]


def test_points_are_filled_in_and_every_other_byte_stays(fill: Fill) -> None:
    text, _ = fill(gradebook_of())
    assert text == gradebook_of(**{f"s{student}": points for student, points in POINTS.items()})


def test_what_could_not_be_matched_is_told_in_both_directions(fill: Fill) -> None:
    _, notes = fill(gradebook_of())
    assert "toys: handed in, but not in canvas.csv by an id that we know: ghost." in notes
    assert (
        "toys: in canvas.csv, but nothing of theirs was collected: Bo Holm, Test Student." in notes
    )


def test_what_is_not_graded_is_left_and_told_with_the_reason(fill: Fill) -> None:
    _, notes = fill(gradebook_of())
    said = "toys: not graded yet, so given no points"
    assert f"{said} (the grader failed on double): faulty." in notes
    assert f"{said} (why waits for a person): unread." in notes


def test_who_is_excused_on_canvas_stays_excused(fill: Fill) -> None:
    text, notes = fill(gradebook_of(sada="EX", ssean="N/A"))
    points = {f"s{student}": points for student, points in POINTS.items()}
    assert text == gradebook_of(**points | {"sada": "EX", "ssean": "N/A"})
    assert "toys: in canvas.csv, excused or not assigned, and left so: ada, sean." in notes


def test_a_student_of_the_same_name_gets_nothing_by_name_alone(fill: Fill) -> None:
    text = HEADER + '"Zhang, Wei",,,,A,,,,\r\n"Lovelace, Ada",777,,,A,,,,\r\n"Öz, E",,,,A,,,,\r\n'
    assert fill(text)[0] == text


def test_a_name_that_one_has_decides_where_no_id_is_known(fill: Fill) -> None:
    text = HEADER + '"O\'Brien, Seán",,,,A,,,,\r\n'
    assert fill(text)[0] == text.replace(",A,,", ",A,8.5,")


def test_names_in_two_columns_are_read_too(fill: Fill) -> None:
    text = "LastName,FirstName,ID,SIS Login ID,Section,Toys (7001)\nLovelace,Ada,,,A,\n"
    assert fill(text)[0] == text.replace("A,\n", "A,11\n")


def test_without_a_roster_an_id_can_be_the_student_id(
    graded_copy: ToyClass, tmp_path: Path
) -> None:
    (graded_copy.course.root / "roster.csv").unlink()
    rows = ["A,ada,,,A,,,,", "B,,sean,,A,,,,", "C,,,107,A,,,,", "wei1,1,2,3,A,,,,", "D,mei,,,A,,,,"]
    rows.append("E,,mei,,A,,,,")  # two lines claim to be mei
    text = HEADER + "\r\n".join(rows)
    found = filled(graded_copy.course, tmp_path, text)[0].splitlines()[1:]
    assert [line.split(",")[5] for line in found] == ["11", "8.5", "4", "", "", ""]


def test_the_collected_file_tells_the_user_id(graded_copy: ToyClass, tmp_path: Path) -> None:
    path = graded_copy.course.submission_path("ghost", TOYS).with_name("source.json")
    path.write_text('{"platform": "canvas", "entry": "x/ghostmy_LATE_112_9_toys.ipynb"}')
    text = HEADER + '"Ghost, My",112,,,A,,,,\r\n'
    assert filled(graded_copy.course, tmp_path, text)[0] == text.replace(",A,,", ",A,9,")


@pytest.mark.parametrize("chosen", ["Essay (7002)", "7002", "essay"])
def test_a_column_can_be_chosen_by_title_or_by_id(fill: Fill, chosen: str) -> None:
    text, _ = fill(gradebook_of(), Choices({TOYS: chosen}, scale=True))
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert [row[5:7] for row in rows[3:5]] == [["", "20"], ["", "15.4545"]]  # 8.5 * 20 / 11


def test_course_toml_can_choose_the_column(graded_copy: ToyClass, tmp_path: Path) -> None:
    settings = '[assignments.toys]\ncanvas_column = "Essay"\n'
    course = with_settings(graded_copy.course.root, settings)
    text, _ = filled(course, tmp_path, gradebook_of(), Choices(scale=True))
    assert 'A, and B",,20,' in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name,grade\nada,1\n", "isn't a Canvas gradebook"),
        (HEADER.replace("Toys", "Tops"), r"No column of canvas\.csv .* Tops \(7001\), Essay"),
        (HEADER.replace("Essay", "TOYS"), "2 columns"),
        (HEADER.replace("Toys (7001)", "Toys"), "No column"),
        (HEADER + POSSIBLE.replace("11.00", "(read only)"), "is read only"),
    ],
)
def test_a_file_that_cannot_be_filled_is_refused(fill: Fill, text: str, said: str) -> None:
    with pytest.raises(CourseError, match=said):
        fill(text, None, TOYS)


def test_the_file_goes_to_exports_and_the_original_stays(graded: Course, tmp_path: Path) -> None:
    file = tmp_path / "canvas.csv"
    file.write_bytes(gradebook_of().encode())
    path, done = export_points(graded, "canvas", [str(file)], Choices(), None)
    assert path == graded.root / "exports" / "canvas-canvas.csv"
    assert file.read_bytes() == gradebook_of().encode()
    assert done.summary() == (
        "7 grades · 2 not graded yet · 1 not in the file · 2 in the file without a submission"
    )
    (tmp_path / "link.csv").symlink_to(file)
    for out in (file, tmp_path / "link.csv"):
        with pytest.raises(CourseError, match="which stays as it is: name another --out"):
            export_points(graded, "canvas", [str(file)], Choices(), out)
    assert file.read_bytes() == gradebook_of().encode()
