"""The command line, as a person meets it: what it prints, and its exit status."""

import re
from pathlib import Path

import pytest

from autograder import __version__
from autograder.authoring.notes import author
from autograder.authoring.release import release
from autograder.course import Course
from autograder.course.course import DATABASE
from autograder.demo import play_demo
from autograder.grading.fingerprint import fingerprint
from autograder.grading.settings import Settings
from autograder.grading.submissions import load_report
from autograder.platforms.collecting import assigning
from autograder.sandbox.host.probe import strongest
from autograder.sandbox.limits import Isolation
from tests.commands import autograder, run
from tests.new_courses import made
from tests.platforms.sources import zipped
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS, WRONG

pytestmark = pytest.mark.slow


@pytest.fixture
def class_(toys: ToyClass) -> ToyClass:
    """A class of two; nbgrader can't take bo's submission."""
    for student in ("ada", "bo"):
        toys.hand_in(student, RIGHT)
    toys.course.submission_path("bo", TOYS).with_name("timestamp.txt").write_text("yesterday")
    return toys


def test_a_submission_that_cannot_be_recorded_hides_nobodys_grade_and_is_told(
    class_: ToyClass,
) -> None:
    done = autograder(class_.course.root, "grade", "--jobs", "1")
    assert done.returncode == 1
    rows = [line.split() for line in done.stdout.splitlines()]
    assert {row[1]: row[-2] for row in rows if "5/5" in row} == {"ada": "9/11", "bo": "9/9"}
    assert "bo, toys: not recorded: Its timestamp.txt contains no valid time" in done.stderr
    assert "Traceback" not in done.stderr


def test_what_overrides_course_toml_and_what_is_graded_again_is_said(toys: ToyClass) -> None:
    toys.hand_in("ada", RIGHT)
    assert autograder(toys.course.root, "grade", "--jobs", "1", AUTOGRADER_SEED="7").returncode == 0
    done = autograder(toys.course.root, "grade", "--jobs", "1", AUTOGRADER_SEED="8")
    assert done.returncode == 0
    assert "note: AUTOGRADER_SEED overrides the seed in course.toml." in done.stderr
    assert "note: 1 submission will be graded again: the seed changed." in done.stderr


def test_a_mistake_in_course_toml_is_one_line(toys: ToyClass) -> None:
    (toys.course.root / "course.toml").write_text("sed = 7")
    done = run(toys.course.root, "-m", "autograder", "grade")
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("autograder: ")
    assert "there is no key `sed`" in line


@pytest.mark.parametrize("word", ["-h", "--help"])
def test_every_command_has_help_by_a_short_name_and_a_long_one(tmp_path: Path, word: str) -> None:
    for words in ([], ["grade"], ["roster", "import"]):
        done = autograder(tmp_path, *words, word)
        assert done.returncode == 0
        assert "Usage:" in done.stdout


def test_help_lists_commands_under_headings_those_of_every_week_first(tmp_path: Path) -> None:
    listed = autograder(tmp_path, "--help").stdout
    headings = re.findall(r"─ ([\w ]+) ─", listed)
    assert headings[:4] == ["Options", "Write assignments", "Grade", "Read and give back"]
    assert "Commands" not in headings  # where one stands that belongs to none


def test_the_version_is_told(tmp_path: Path) -> None:
    done = autograder(tmp_path, "--version")
    assert (done.returncode, done.stdout) == (0, f"autograder {__version__}\n")


def test_the_demo_touches_no_gradebook_but_its_own(toys: ToyClass) -> None:
    (toys.course.root / "demo.toml").write_text(f"[ada.{TOYS}]\nall = 'solved'\n")
    real = toys.course.root / "real.db"
    url = {"AUTOGRADER_DB_URL": f"sqlite:///{real}", "AUTOGRADER_SEED": "5"}
    before = (toys.course.root / "gradebook.db").read_bytes()
    done = autograder(toys.course.root, "demo", "--jobs", "1", **url)
    assert done.returncode == 0, done.stderr
    assert "5/5 ✓" in done.stdout
    pages = re.findall(r"file://(\S+)", done.stdout)
    assert len(pages) == 2
    assert all(Path(page).is_file() for page in pages)
    assert not real.exists()
    assert (toys.course.root / "gradebook.db").read_bytes() == before
    demo = Course.load(toys.course.root / ".demo", {})
    assert (demo.root / "gradebook.db").is_file()
    report = load_report(demo, "ada", TOYS)
    assert report is not None
    assert report.fingerprint == fingerprint(Settings(demo, Isolation(report.isolation)), TOYS)


def test_the_demo_takes_the_locked_notes_of_the_release_while_they_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = made(tmp_path)
    (path,) = release(course, ["hw1_statistics"])
    monkeypatch.setattr(author, "_made", lambda *_: pytest.fail("they were made anew"))
    monkeypatch.setenv(DATABASE, "")  # the demo sets it, and this puts it back
    _, copy = play_demo(course, strongest(), 1)
    assert copy.release_path("hw1_statistics").read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    "arguments", [("check", "nothing.ipynb"), ("check", "course.toml"), ("check", ".")]
)
def test_a_file_that_is_no_notebook_gets_one_line_and_status_2(
    toys: ToyClass, arguments: tuple[str, ...]
) -> None:
    done = autograder(toys.course.root, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(arguments[1])


@pytest.mark.parametrize(
    ("options", "status"),
    [
        ((), 0),
        (("--full-marks",), 1),
        (("--min-score", "6"), 0),
        (("--min-score", "6.5"), 1),
        (("--json", "--min-score", "7"), 1),
    ],
)
def test_check_ends_with_status_1_below_the_marks_that_were_asked_for(
    toys: ToyClass, options: tuple[str, ...], status: int
) -> None:
    toys.hand_in("ada", WRONG)
    path = str(toys.course.submission_path("ada", TOYS))
    done = autograder(toys.course.root, "check", path, *options)
    assert done.returncode == status
    assert ("6 of 9 points: fewer than" in done.stderr) == bool(status)


def test_check_calls_nothing_full_marks_that_the_grader_failed_to_judge(toys: ToyClass) -> None:
    toys.hand_in("ada", RIGHT)
    tests = toys.course.exercises / TOYS / "hidden_tests" / "test_double.py"
    tests.write_text(tests.read_text().replace("np.array([2.0])", "np.arra([2.0])"))
    path = str(toys.course.submission_path("ada", TOYS))
    done = autograder(toys.course.root, "check", path, "--full-marks")
    assert done.returncode == 1
    assert "The grader failed in a hidden test" in done.stderr


def test_a_package_is_written_where_students_code_can_not_read_it(toys: ToyClass) -> None:
    for platform in ("gradescope", "classroom50"):
        done = autograder(toys.course.root, "package", platform, TOYS)
        assert done.returncode == 0, done.stderr
        path = toys.course.root / "packages" / f"{TOYS}-{platform}.zip"
        assert path.is_file()
        assert f"Wrote packages/{path.name}" in done.stdout
    assert toys.course.packages in toys.course.secrets()


def test_points_and_feedback_go_back_to_canvas_as_one_would_do_it(toys: ToyClass) -> None:
    toys.hand_in("101", RIGHT)
    toys.hand_in("102", RIGHT)
    source = toys.course.submission_path("101", TOYS).with_name("source.json")
    source.write_text('{"platform": "canvas", "entry": "lovelaceada_101_9001_toys.ipynb"}')
    assert autograder(toys.course.root, "grade", "--jobs", "1").returncode == 0
    assert autograder(toys.course.root, "feedback").returncode == 0
    (toys.course.root / "canvas.csv").write_text(
        'Student,ID,SIS Login ID,Section,Toys (7)\n"Lovelace, Ada",101,ada,A,\n'
    )
    done = autograder(toys.course.root, "export", "--to", "canvas", "canvas.csv")
    assert done.returncode == 1
    assert done.stdout == "Wrote exports/canvas-canvas.csv: 1 grade · 1 not in the file\n"
    assert "note: toys: handed in, but not in canvas.csv by an id that we know: 102." in done.stderr
    assert (
        '"Lovelace, Ada",101,ada,A,9\n'
        in (toys.course.root / "exports/canvas-canvas.csv").read_text()
    )
    done = autograder(toys.course.root, "return", "--to", "canvas")
    assert done.returncode == 1
    assert done.stdout == "Wrote exports/toys-feedback-canvas.zip: feedback for 1 student\n"
    assert "isn't known" in done.stderr


def test_an_export_without_a_file_says_which_to_name(toys: ToyClass) -> None:
    for arguments in (["export", "--to", "canvas"], ["export", "--to", "moodle", "none.csv"]):
        done = autograder(toys.course.root, *arguments)
        assert (done.returncode, done.stdout) == (1, "")
        (line,) = done.stderr.splitlines()
        assert line.startswith("autograder: ")


def test_collect_says_what_it_found_and_ends_with_status_1_while_some_are_to_assign(
    toys: ToyClass, tmp_path: Path
) -> None:
    raw = toys.course.release_path(TOYS).read_bytes()
    files = {"ada_LATE_1_10_hw.ipynb": raw, "bo_2_11_notes.txt": b"", "cy_3_12_hw.ipynb": b""}
    source = str(zipped(tmp_path / "class.zip", files))
    done = autograder(toys.course.root, "collect", source)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "From: Canvas",
        "late, by the platform's own flag: 1, toys",
        "3 found · 1 placed · 1 to assign · 1 late · 0 replaced an earlier one · "
        "1 without a notebook",
    ]
    assert "but not when anything was handed in" in done.stderr
    assert done.stderr.splitlines()[-2:] == [
        "Complete unassigned.csv, and collect the same again.",
        "Ask who handed in no notebook for one, or write - as student_id in unassigned.csv.",
    ]
    path = toys.course.root / assigning.UNASSIGNED
    rows = re.sub(r"\d$", assigning.LEFT_OUT, path.read_text("utf-8"), flags=re.MULTILINE)
    path.write_text(rows, "utf-8")
    done = autograder(toys.course.root, "collect", source)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1].endswith("2 left out · nothing new")


def test_a_roster_is_imported_and_collected_by(toys: ToyClass, tmp_path: Path) -> None:
    (tmp_path / "grades.csv").write_text(
        'Student,ID,SIS User ID,SIS Login ID,Section\n"O\'Neil, Ann",1,007,ann,A\n'
    )
    done = autograder(toys.course.root, "roster", "import", str(tmp_path / "grades.csv"))
    assert (done.returncode, done.stdout) == (
        0,
        "From Canvas: 1 added, 0 updated in roster.csv\n",
    )
    raw = toys.course.release_path(TOYS).read_bytes()
    source = zipped(tmp_path / "class.zip", {"oneilann_1_10_hw.ipynb": raw})
    assert autograder(toys.course.root, "collect", str(source)).returncode == 0
    assert toys.course.submission_path("007", TOYS).read_bytes() == raw
