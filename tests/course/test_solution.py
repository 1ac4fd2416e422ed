"""A rubric is read in the solution script; files beside it reach the release and students' code."""

import json
import os
from pathlib import Path

import pytest

from autograder.authoring.release import release
from autograder.course import Course
from autograder.course.solution import MAX_BYTES, MAX_FILES, Question, questions, source_files
from autograder.errors import CourseError
from autograder.gradebook.recording import record
from autograder.grading.fingerprint import fingerprint
from autograder.grading.grader import Grader
from autograder.grading.settings import Settings
from autograder.report import Outcome
from autograder.sandbox.limits import Isolation
from tests.conftest import offered
from tests.courses import KIT
from tests.notebooks import filled
from tests.toy_class import ToyClass
from tests.toys import CODE_BY_HAND, RIGHT, SCRIPT, TOYS, course_of

RUBRIC = "**Rubric**: one point for each half."
FILES = {"factor.txt": "2", "tables/deep/more.csv": "1,2\n"}
# The given code reads a file, as students are meant to, and each answer tries something with it.
READING = SCRIPT.replace(
    "import math\n",
    "import math\nfrom pathlib import Path\nfactor = int(Path('factor.txt').read_text())\n",
)
DOUBLE = "def double(x):\n    return factor * x"
MEDDLING = """
import os
def tried(action):
    try:
        action()
    except OSError:
        return 0
    return 1
done = tried(lambda: open("factor.txt", "w")) + tried(lambda: os.remove("factor.txt"))
done += tried(lambda: os.rename("factor.txt", "x")) + tried(lambda: os.chmod("factor.txt", 0o777))
done += tried(lambda: open("tables/new", "w")) + tried(lambda: os.listdir(SECRET))
"""
LOOKING = f"{MEDDLING}more = Path('tables/deep/more.csv').read_text()\nprint(done, factor, more)"


def with_files(course: Course) -> Course:
    for name, text in FILES.items():
        path = course.solutions / TOYS / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return course


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """A course whose assignment comes with files."""
    return with_files(course_of(tmp_path, READING))


def released(course: Course) -> dict[str, bytes]:
    folder = course.release_path(TOYS).parent
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_files_are_released_beside_the_notebook_until_they_are_removed(course: Course) -> None:
    release(course, [TOYS])
    first = released(course)
    assert first.keys() == {f"{TOYS}.ipynb", *FILES}
    release(course, [TOYS])
    assert released(course) == first
    (course.solutions / TOYS / "tables" / "deep" / "more.csv").unlink()
    release(course, [TOYS])
    assert released(course).keys() == {f"{TOYS}.ipynb", "factor.txt"}


@pytest.mark.slow
@pytest.mark.parametrize("level", [Isolation.ROOTNS, Isolation.USERNS, Isolation.LOCKDOWN])
def test_a_students_code_reads_them_and_cannot_change_them(
    course: Course, level: Isolation
) -> None:
    release(course, [TOYS])
    secret = f"SECRET = {str(course.solutions)!r}\n"
    answers = RIGHT | {"double": f"{secret}{LOOKING}\n{DOUBLE}"}
    content = json.dumps(filled(course.release_path(TOYS), answers)).encode()
    with Grader(Settings(course, offered(level)), TOYS) as grader:
        for _ in range(2):  # what the first student did, the second doesn't see
            report = grader.grade(content)
            assert (report.score, report.max_score) == (9, 9), report
            output = next(cell for cell in report.cells if cell.cell == "double")
            assert output.text == "0 2 1,2\n\n", output


def test_a_students_copy_of_them_is_ignored(fresh: Course, tmp_path: Path) -> None:
    toys = ToyClass.like(fresh, tmp_path)
    with_files(toys.course)
    release(toys.course, [TOYS])
    toys.hand_in("a", RIGHT)
    folder = toys.course.submission_path("a", TOYS).parent
    (folder / "factor.txt").mkdir()
    (folder / "tables").write_text("mine")
    assert record(toys.course, [toys.report("a", *9 * [Outcome.PASSED])]) == []
    graded = toys.course.root / "autograded" / "a" / TOYS
    assert {name: (graded / name).read_text() for name in FILES} == FILES


def test_a_changed_file_means_that_submissions_are_graded_again(course: Course) -> None:
    settings = Settings(course, Isolation.ROOTNS)
    release(course, [TOYS])
    before = fingerprint(settings, TOYS)
    (course.solutions / TOYS / "tables" / "deep" / "more.csv").write_text("3")
    assert fingerprint(settings, TOYS) == before  # students don't have it yet
    release(course, [TOYS])
    after = fingerprint(settings, TOYS)
    assert {part for part in before if before[part] != after[part]} == {"release"}


def test_a_file_that_was_not_released_is_told(course: Course) -> None:
    release(course, [TOYS])
    (course.solutions / TOYS / "new.csv").write_text("1")
    with pytest.raises(CourseError, match=r"released without new.csv: run `make release`"):
        fingerprint(Settings(course, Isolation.ROOTNS), TOYS)


def test_what_cannot_be_given_is_told_and_nothing_is_released(course: Course) -> None:
    folder = course.solutions / TOYS
    (folder / ".DS_Store").write_text("hidden files are left out")
    assert source_files(course, TOYS).keys() == FILES.keys()
    (folder / "large").touch()
    os.truncate(folder / "large", MAX_BYTES)
    with pytest.raises(CourseError, match=r"3 files of 20\.0 MB: keep it to 100 files of 20 MB"):
        release(course, [TOYS])
    os.truncate(folder / "large", 0)
    (folder / "link").symlink_to("/etc/passwd")
    with pytest.raises(CourseError, match="toys/link can't be given to students"):
        release(course, [TOYS])
    (folder / "link").unlink()
    for number in range(MAX_FILES):
        (folder / str(number)).touch()
    with pytest.raises(CourseError, match="103 files"):
        release(course, [TOYS])
    assert not course.release_path(TOYS).exists()


def question_with(folder: Path, rubric: str) -> Question:
    commented = "\n".join(f"# {line}".rstrip() for line in rubric.splitlines())
    script = SCRIPT.replace(f"# {RUBRIC}", commented)
    return questions(course_of(folder, script), TOYS)["why"]


def points_of(question: Question) -> list[tuple[float, str]]:
    return [(point.points, point.text) for point in question.points]


def test_each_point_of_the_list_is_one_of_the_rubric(tmp_path: Path) -> None:
    rubric = "**Rubric**\n\n- 1 point: the first,\n  *with* more.\n- ½ point: b\n- -1 point: c\n"
    question = question_with(tmp_path, rubric)
    assert points_of(question) == [(1, "the first, *with* more."), (0.5, "b"), (-1, "c")]
    assert question.model == "Because of the **model answer**."
    assert question.max_score == 2


def test_the_rubric_of_code_is_a_comment_in_it(tmp_path: Path) -> None:
    question = questions(course_of(tmp_path, CODE_BY_HAND), TOYS)["why"]
    assert points_of(question) == [
        (1, "it shows **all** of the data"),
        (1, "its axes are named"),
    ]
    assert question.model == "~~~~python\nplt.plot(secret_model)\n~~~~"


def test_a_rubric_in_words_has_no_points_of_its_own(tmp_path: Path) -> None:
    question = question_with(tmp_path, RUBRIC)
    assert question.points == ()
    assert question.rubric == "one point for each half."


def test_a_line_that_stands_there_again_is_a_point_of_its_own(tmp_path: Path) -> None:
    rubric = "**Rubric**\n\n- 1 point: an example\n- 1 point: an\n  example\n- ½ point: an example"
    question = question_with(tmp_path, rubric)
    assert points_of(question) == [
        (1, "an example"),
        (1, "an example (2)"),
        (0.5, "an example (3)"),
    ]
    assert question.worth(("an example",)) == 1
    assert question.worth(("an example", "an example (3)")) == 1.5


def test_what_is_earned_is_never_below_0_nor_above_the_maximum(tmp_path: Path) -> None:
    rubric = "**Rubric**\n\n- 2 points: a\n- 1 point: b\n- −3 points: c"
    question = question_with(tmp_path, rubric)
    assert question.worth(("a", "b")) == 2
    assert question.worth(("b", "c")) == 0
    assert question.worth(("b", "of another rubric")) == 1


def test_the_fingerprint_follows_words_and_points_alone(tmp_path: Path) -> None:
    rubrics = ["- 1 point: a b\n", "- 1 point: a\n  b\n", "- 1 point: a c", "- 2 points: a b"]
    first, same, *others = (
        question_with(tmp_path / str(number), f"**Rubric**\n\n{rubric}").fingerprint
        for number, rubric in enumerate(rubrics)
    )
    assert first == same
    assert len({first, *others}) == 3


def test_the_prose_before_an_answer_is_its_question(tmp_path: Path) -> None:
    script = SCRIPT.replace('# %% [markdown] written="why"', "# %% [markdown]\n# Why?\n\n\\g<0>")
    script = script.replace("\\g<0>", '# %% [markdown] written="why"')
    course = course_of(tmp_path, script)
    assert questions(course, TOYS)["why"].question == "Why?"


@pytest.mark.parametrize("assignment", KIT.assignment_names())
def test_the_points_of_the_kits_rubrics_add_up(assignment: str) -> None:
    for question in questions(KIT, assignment).values():
        assert sum(point.points for point in question.points) == question.max_score
        assert question.question
