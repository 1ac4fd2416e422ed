"""A roster is written from what platforms export, and from each of them in turn."""

from pathlib import Path

import pytest

from autograder.course import Course, roster
from autograder.course.roster import Person
from autograder.errors import CourseError
from autograder.platforms.collecting.roster_import import import_roster
from tests.toys import course_of

CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,Toys (77)
    Points Possible,,,,,9
"O'Neil, Ann",4001,0001,ann@example.edu,A,
"Garcia, Maria",4002,0002,maria@example.edu,A,
"Garcia, Maria",4003,0003,mgarcia@example.edu,B,
王小明,4004,0004,wang@example.edu,B,
"Student, Test",4999,,3f7a,A,
"""
MOODLE = """\
Identifier,Full name,ID number,Email address,Status,Grade
Participant 701,Ann O'Neil,0001,ann@example.edu,Submitted,
Participant 702,Maria Garcia,,maria@example.edu,Submitted,
"""
GERMAN = """\
ID;Vollständiger Name;E-Mail-Adresse;Status;Bewertung
Teilnehmer/in 801;Ann O'Neil;ann@example.edu;Abgegeben;
Teilnehmer/in 802;王小明;wang@example.edu;Abgegeben;
"""
GRADESCOPE = """\
First Name,Last Name,SID,Email,Role
Ann,O'Neil,0001,ann@example.edu,Student
Maria,Garcia,0003,mgarcia@example.edu,Student
Grace,Hopper,,grace@example.edu,Instructor
"""


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return course_of(tmp_path / "course")


def imported(course: Course, text: str, encoding: str = "utf-8") -> str:
    path = course.root / "table.csv"
    path.write_text(text, encoding)
    return import_roster(course, path).summary()


def people(course: Course) -> dict[str, Person]:
    return {person.student_id: person for person in roster.read_roster(course.root / roster.FILE)}


def test_a_canvas_gradebook_lists_its_students_and_nothing_else(course: Course) -> None:
    assert imported(course, CANVAS) == "From Canvas: 4 added, 0 updated in roster.csv"
    found = people(course)
    assert list(found) == ["0001", "0002", "0003", "0004"]
    assert found["0001"] == Person(
        student_id="0001",
        name="O'Neil, Ann",
        email="ann@example.edu",
        canvas_id="4001",
        canvas_sis_id="0001",
        canvas_login="ann@example.edu",
        section="A",
    )


def test_names_in_two_columns_are_those_of_one(course: Course) -> None:
    divided = CANVAS.replace("Student,ID", "LastName,FirstName,ID").replace("王小明", "王,小明")
    divided = divided.replace("Points Possible", "Points Possible,").replace('"', "")
    assert imported(course, divided.replace(", ", ",")) == (
        "From Canvas: 4 added, 0 updated in roster.csv"
    )
    assert [each.name for each in people(course).values()][::3] == ["O'Neil, Ann", "王, 小明"]


def test_another_platforms_table_adds_its_ids_to_the_same_people(course: Course) -> None:
    imported(course, CANVAS)
    assert imported(course, MOODLE) == "From Moodle: 0 added, 2 updated in roster.csv"
    assert imported(course, GRADESCOPE) == "From Gradescope: 0 added, 2 updated in roster.csv"
    found = people(course)
    assert (found["0001"].moodle_id, found["0001"].gradescope_sid) == ("701", "0001")
    assert (found["0002"].moodle_id, found["0002"].gradescope_sid) == ("702", "")
    assert (found["0003"].moodle_id, found["0003"].gradescope_sid) == ("", "0003")
    assert found["0001"].canvas_id == "4001"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_worksheet_in_another_language_is_read(course: Course, encoding: str) -> None:
    imported(course, CANVAS)
    imported(course, GERMAN, encoding)
    assert people(course)["0004"].moodle_id == "802"


def test_one_import_twice_changes_nothing(course: Course) -> None:
    imported(course, CANVAS)
    before = people(course)
    assert imported(course, CANVAS) == "From Canvas: 0 added, 4 updated in roster.csv"
    assert people(course) == before


def test_a_namesake_with_another_id_is_another_person(course: Course) -> None:
    imported(course, CANVAS)
    other = CANVAS.replace("4001,0001,ann@", "5001,9001,ann2@")
    assert imported(course, other) == "From Canvas: 1 added, 3 updated in roster.csv"
    assert people(course)["9001"].name == people(course)["0001"].name


def test_a_person_who_is_recognised_by_name_alone_is_told(course: Course) -> None:
    roster.write_roster(
        course.root / roster.FILE, [Person("ann", "Ann O’Neil"), Person("bo", "Bo")]
    )
    (course.root / "table.csv").write_text(CANVAS)
    result = import_roster(course, course.root / "table.csv")
    assert result.notes == ("O'Neil, Ann was recognised by name alone: check the line.",)
    assert people(course)["ann"].canvas_id == "4001"


def test_running_numbers_of_two_platforms_are_no_sign_of_one_person(course: Course) -> None:
    roster.write_roster(course.root / roster.FILE, [Person("701", "Zoe", canvas_id="701")])
    imported(course, MOODLE)
    assert people(course)["701"].moodle_id == ""


def test_ids_of_two_people_in_one_line_are_refused_and_nothing_changes(course: Course) -> None:
    imported(course, CANVAS)
    before = (course.root / roster.FILE).read_bytes()
    with pytest.raises(CourseError, match="belong to 0001, 0002 already"):
        imported(course, GRADESCOPE.replace("0003,mgarcia@", "0001,maria@"))
    assert (course.root / roster.FILE).read_bytes() == before


def test_an_email_that_two_people_of_the_roster_have_is_of_neither(course: Course) -> None:
    shared = [Person("0001", "Ann", "lab@example.edu"), Person("0002", "Bo", "lab@example.edu")]
    roster.write_roster(course.root / roster.FILE, shared)
    with pytest.raises(CourseError, match="belong to 0001, 0002 already"):
        imported(course, "email,section\nlab@example.edu,A\n")


def test_columns_of_the_instructors_own_stay(course: Course) -> None:
    path = course.root / roster.FILE
    path.write_text("student_id,email,tutor\n0001,ann@example.edu,Eve\n")
    imported(course, CANVAS)
    header, first, *_ = path.read_text().splitlines()
    assert header.startswith("student_id,email,tutor,name,")
    assert first.startswith("0001,ann@example.edu,Eve,")


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "Student,ID\nx,1\n", "\x00\x01", '"' * 9])
def test_another_table_is_refused_in_a_sentence(course: Course, text: str) -> None:
    with pytest.raises(CourseError, match=r"^table\.csv"):
        imported(course, text)
    assert not (course.root / roster.FILE).exists()


@pytest.mark.parametrize(
    ("text", "sections"),
    [
        (CANVAS, {"0001": "A", "0002": "A", "0003": "B", "0004": "B"}),
        (
            MOODLE.replace("Status", "Groups").replace("Submitted", '"Lab 1, Lab 2"'),
            {"ann@example.edu": "Lab 1, Lab 2", "maria@example.edu": "Lab 1, Lab 2"},
        ),
        (
            GRADESCOPE.replace("Role", "Role,Lab Section").replace("Student", "Student,Lab 3"),
            {"0001": "Lab 3", "0003": "Lab 3"},
        ),
    ],
    ids=["canvas", "moodle", "gradescope"],
)
def test_sections_come_from_the_column_that_is_called_so(
    course: Course, text: str, sections: dict[str, str]
) -> None:
    imported(course, text)
    assert {student: each.section for student, each in people(course).items()} == sections


def test_a_column_of_ones_own_can_be_that_of_sections(course: Course) -> None:
    path = course.root / "table.csv"
    path.write_text(CANVAS.replace("Toys (77)", "Tutor").replace(",A,\n", ",A,Eve\n"))
    import_roster(course, path, "Tutor")
    assert [each.section for each in people(course).values()] == ["Eve", "Eve", "", ""]
    with pytest.raises(CourseError, match="no column 'Room': choose from Student, ID"):
        import_roster(course, path, "Room")


def test_a_table_of_sections_is_enough_for_people_who_are_known(course: Course) -> None:
    """As Moodle hands out its participants, who have no number in it."""
    imported(course, CANVAS)
    participants = "First name,Last name,Email address,Groups\nAnn,O'Neil,ann@example.edu,Lab 1\n"
    said = imported(course, participants)
    assert said == "From a table of sections: 0 added, 1 updated in roster.csv"
    found = people(course)
    assert (found["0001"].section, found["0001"].name) == ("Lab 1", "O'Neil, Ann")
    assert found["0002"].section == "A"
    with pytest.raises(CourseError, match="isn't a Canvas gradebook"):
        imported(course, "Name,Groups\nAnn,Lab 1\n")


def test_a_table_of_ones_own_is_read_by_the_names_of_its_columns(course: Course) -> None:
    """Though its ids look like Moodle's numbers of participants."""
    imported(course, CANVAS)
    own = "student_id,name,email,github,section\nx1,Xenia Eins,x1@example.edu,xe,A\n0001,,,ann,B\n"
    assert imported(course, own) == "From a roster: 1 added, 1 updated in roster.csv"
    found = people(course)
    assert found["x1"] == Person("x1", "Xenia Eins", "x1@example.edu", github="xe", section="A")
    assert (found["0001"].name, found["0001"].github) == ("O'Neil, Ann", "ann")
    assert (found["0001"].canvas_id, found["0001"].section) == ("4001", "B")


@pytest.mark.parametrize(
    "text",
    [
        "number,name,email\nstu12,Ann,ann@example.edu\nstu13,Bo,bo@example.edu\n",
        "login,name,email,room,lab\nann12,Ann,ann@example.edu,1,A\nbo13,Bo,bo@example.edu,1,A\n",
    ],
)
def test_a_registrars_table_is_never_taken_for_moodles(course: Course, text: str) -> None:
    with pytest.raises(CourseError, match="give a column of yours that name"):
        imported(course, text)
