"""All that is stored about a student is packed for them, or forgotten; the others keep theirs."""

import io
import json
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Engine

from autograder.course import Course
from autograder.gradebook import configuration, database, giving
from autograder.gradebook.giving import Award
from autograder.gradebook.marks import marks_on, read_marks
from autograder.gradebook.recording import record
from autograder.gradebook.second_readings import read_second
from autograder.report import CellOutput, Outcome
from tests.commands import autograder
from tests.postgresql import in_postgresql
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS, with_settings

ADA, BO = "lovelace815", "li4711"
PASSED = 9 * [Outcome.PASSED]
# What nobody else's files say: an answer, an output, a comment, a reason, and what platforms know.
ANSWER, OUTPUT, COMMENT, REASON = ("ANSWERTEXT", "OUTPUTTEXT", "COMMENTTEXT", "REASONTEXT")
KNOWN_AS = (ADA, "Lovelace", "ada@example.org", "90210", "countess-ada")
TOKENS = (*KNOWN_AS, ANSWER, OUTPUT, COMMENT, REASON)


LONG = 800 * COMMENT  # pages of a database of its own


def run(course: Course, *arguments: str, status: int = 0) -> str:
    done = autograder(course.root, *arguments)
    assert done.returncode == status, done.stderr
    return done.stdout + done.stderr


def give(course: Course) -> None:
    """Give points for Ada's written answer at the desk, twice, and read it as the second."""
    with database.opened(configuration.url(course)) as engine:
        for points in (1, 2):
            giving.give(engine, Award("gra", points, LONG), seen(engine))
        read_second(engine, Award("gro", 1.5), seen(engine))


def seen(engine: Engine) -> dict[str, str]:
    with engine.connect() as connection:
        (marks,) = marks_on(connection, TOYS, student=ADA)
    mark = marks["why"]
    assert mark is not None
    return {mark.key: mark.version}


@pytest.fixture(scope="module")
def stored(fresh: Course, tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A class of two, of whom one has left traces wherever there can be any."""
    toys = ToyClass.like(fresh, tmp_path_factory.mktemp("stored"))
    course = toys.course
    columns = "student_id,name,email,canvas_id,github"
    ada = f"{ADA},Ada Lovelace,ada@example.org,90210,countess-ada"
    (course.root / "roster.csv").write_text(f"{columns}\r\n{ada}\r\n{BO},Bo Li,b@x.org,7,bo\r\n")
    toys.hand_in(ADA, RIGHT | {"why": ANSWER})
    toys.hand_in(BO, RIGHT | {"why": "Because."})
    beside = course.submission_path(ADA, TOYS).parent
    (beside / "late.txt").write_text("Late.\n")
    cells = (CellOutput(cell="double", text=OUTPUT),)
    reports = [toys.report(ADA, *PASSED, cells=cells), toys.report(BO, *PASSED)]
    assert record(course, reports) == []
    give(course)
    run(course, "withhold", TOYS, "--student", ADA, "--reason", REASON)
    run(course, "restore", "1")
    run(course, "drop", TOYS, "double", "--reason", "The question was wrong.")
    asked = "platform,entry,ids,name,assignment,why,student_id\r\n"
    asked += f"canvas,x_90210_1_hw.ipynb,canvas_id=90210,Lovelace Ada,,?,{ADA}\r\n"
    asked += "canvas,y_8_2_hw.ipynb,canvas_id=8,Cy,,?,\r\n"
    (course.root / "unassigned.csv").write_text(asked)
    (course.reports / "changes-2026-01-01-1.csv").write_text(
        f"assignment,student_id,exercise\r\n{TOYS},{ADA},why\r\n{TOYS},{BO},why\r\n"
    )
    run(course, "feedback")
    run(course, "report")
    (course.reports / f"{TOYS}-similar.html").write_text(f"<p>{ANSWER}</p>")  # it needs ten
    run(course, "export", "--to", "csv", "--partial")
    run(course, "late", "--csv")
    run(course, "return", "--to", "moodle", status=1)
    return course


@pytest.fixture
def class_(stored: Course, tmp_path: Path) -> Course:
    return ToyClass.like(stored, tmp_path).course


def files(course: Course) -> Iterator[Path]:
    return (path for path in course.root.rglob("*") if path.is_file())


def naming(course: Course) -> dict[str, list[str]]:
    """Which files hold which of the tokens, in their names or their bytes, packed or not."""
    found = {}
    for path in files(course):
        raw = str(path.relative_to(course.root)).encode() + path.read_bytes()
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                raw += b"".join(name.encode() + archive.read(name) for name in archive.namelist())
        if there := [token for token in TOKENS if token.encode() in raw]:
            found[str(path.relative_to(course.root))] = there
    return found


@pytest.mark.slow
def test_after_forget_no_file_knows_the_student_and_the_others_keep_theirs(class_: Course) -> None:
    assert {token for tokens in naming(class_).values() for token in tokens} == set(TOKENS)
    odd = class_.submission_path(BO, TOYS).parent / "course.toml"
    odd.write_text("[my]\nown = 1\n")  # no settings of ours
    damaged = class_.exports / "damaged.zip"
    with zipfile.ZipFile(damaged, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("marks.csv", b"nothing in particular " * 50)
    raw = damaged.read_bytes()
    damaged.write_bytes(raw[:40] + b"\xff" * 9 + raw[49:])
    said = run(class_, "person", "forget", ADA, "--yes")
    damaged.unlink()
    assert f"Deleted submitted/{ADA}\n" in said
    assert naming(class_) == {}
    with closing(sqlite3.connect(class_.root / "gradebook.db")) as book:
        assert book.execute("PRAGMA freelist_count").fetchone() == (0,)
    for table in ("roster.csv", "unassigned.csv", "reports/changes-2026-01-01-1.csv"):
        assert len((class_.root / table).read_text().splitlines()) == 2, table
    with database.opened(configuration.url(class_)) as engine, engine.connect() as connection:
        (marks,) = marks_on(connection, TOYS)
    assert (marks.student, marks.score) == (BO, 9)
    assert [each.number for each in marks.decisions] == [2]
    with closing(sqlite3.connect(class_.root / "gradebook.db")) as book:
        assert book.execute("SELECT * FROM autograder_readings").fetchall() == []
    assert class_.feedback_path(BO, TOYS).is_file()
    run(class_, "report")
    assert naming(class_) == {}
    assert "Nothing is stored about" in run(class_, "person", "forget", ADA, "--yes", status=1)


def test_export_packs_what_is_stored_and_nothing_of_others(class_: Course, tmp_path: Path) -> None:
    path = tmp_path / "ada.zip"
    run(class_, "person", "export", ADA, str(path))
    assert path.stat().st_mode & 0o777 == 0o600
    with zipfile.ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    about = json.loads(content.pop("about.json"))
    assert {Path(name).parts[0] for name in content} == {
        *("submitted", "autograded", "reports", "feedback"),
    }
    assert about["roster"]["email"] == "ada@example.org"
    assert set(about["tables"]) == {
        *("roster.csv", "unassigned.csv", "reports/changes-2026-01-01-1.csv"),
    }
    rows = about["gradebook"]
    assert [row["comment"] for row in rows["autograder_given"]] == [LONG, LONG]
    assert [row["points"] for row in rows["autograder_readings"]] == [1.5]
    assert [row["reason"] for row in rows["autograder_decisions"]] == [REASON]
    assert {"student", "submitted_assignment", "submitted_notebook", "grade"} <= set(rows)
    whole = json.dumps(about).encode() + b"".join(content.values())
    assert all(token.encode() in whole for token in TOKENS)
    assert BO.encode() not in whole


def test_what_is_left_to_a_person_is_named(class_: Course) -> None:
    later = "2030-01-01T00:00:00Z"
    settings = f"[assignments.{TOYS}]\ndue = {later}\nextensions = {{ {ADA} = {later} }}\n"
    with_settings(class_.root, settings)
    note = class_.root / "notes.txt"
    note.write_text("I wrote to ada@example.org.")
    archive = class_.exports / "term.zip"
    run(class_, "archive", str(archive))
    frozen = archive.read_bytes()
    said = run(class_, "person", "forget", ADA, "--yes", status=1)
    assert "note: exports/term.zip is a frozen term, and stays as it is" in said
    assert archive.read_bytes() == frozen
    for name in ("course.toml", "notes.txt"):
        assert f"{name} still names {ADA}: edit or delete it by hand." in said
    assert said.count("still names") == 2


def test_forget_asks_first(class_: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    before = naming(class_)
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    said = run(class_, "person", "forget", ADA, status=1)
    assert f"Delete all work, marks and reports of {ADA} (Ada Lovelace), for good?" in said
    assert naming(class_) == before


@pytest.mark.slow
@in_postgresql
def test_a_gradebook_in_postgresql_forgets_too(toys: ToyClass) -> None:
    for name in (ADA, BO):
        toys.hand_in(name, RIGHT)
    assert record(toys.course, [toys.report(name, *PASSED) for name in (ADA, BO)]) == []
    run(toys.course, "person", "forget", ADA, "--yes")
    assert [marks.student for marks in read_marks(toys.course, [TOYS])] == [BO]
