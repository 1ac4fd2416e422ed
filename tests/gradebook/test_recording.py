"""What the grader found stands in nbgrader's gradebook, as nbgrader itself would have put it."""

import shutil

import pytest

from autograder.authoring.release import release
from autograder.course import Course
from autograder.errors import CourseError
from autograder.gradebook import feedback
from autograder.gradebook.marks import read_marks
from autograder.gradebook.recording import points_that_differ, record
from autograder.grading.submissions import Graded, Job
from autograder.report import Outcome
from tests.gradebook.books import book_of, comment, give, grade, grades, recorded_at
from tests.gradebook.test_nbgrader_commands import run_nbgrader
from tests.toy_class import ToyClass
from tests.toys import RIGHT, SCRIPT, with_settings

pytestmark = pytest.mark.slow  # each makes a class of its own, which takes a second

PASSED, FAILED = Outcome.PASSED, Outcome.FAILED
NOTHING = 9 * [Outcome.NOT_ATTEMPTED]


def test_an_untouched_release_scores_zero_and_waits_for_nobody(recorded: Course) -> None:
    assert grades(recorded, "blank") == {
        "double_test": (0, False),
        "Counter_test": (0, False),
        "why": (0, False),
    }
    assert comment(recorded, "blank", "double") == "No response."


def test_full_marks_are_full_marks_and_a_written_answer_waits(recorded: Course) -> None:
    assert grades(recorded, "ada") == {
        "double_test": (5, False),
        "Counter_test": (4, False),
        "why": (None, True),
    }
    assert comment(recorded, "ada", "double") == "All checks passed."


def test_partial_credit_comes_with_its_reasons(recorded: Course) -> None:
    assert grades(recorded, "partly")["double_test"] == (3, False)
    assert comment(recorded, "partly", "double") == (
        r"- `law_3` is \<broken\> \*here\*."
        "\n"
        r"- **Law 4 holds.** `law_4` is \<broken\> \*here\*."
    )


def test_outputs_that_a_student_hands_in_earn_nothing(recorded: Course) -> None:
    assert grades(recorded, "çağla")["double_test"] == (0, False)
    notebook = recorded.root / "autograded" / "çağla" / "toys" / "toys.ipynb"
    assert '"99"' not in notebook.read_text()


def test_a_submission_that_cannot_be_recorded_is_told_and_the_others_are_recorded(
    toys: ToyClass,
) -> None:
    why = {
        "b": "The notebook was replaced after grading",
        "c[1]": "Rename the folder",
        "e": "What was handed in is gone: put it back, and grade again.",
        "f": "timestamp.txt contains no valid time",
        "g": "timestamp.txt contains no valid time",
    }
    names = sorted({"a", "d", *why})
    for name in names:
        toys.hand_in(name, RIGHT)
    for name, time in {"f": b"yesterday", "g": b"\xff\xfe"}.items():
        toys.course.submission_path(name, "toys").with_name("timestamp.txt").write_bytes(time)
    reports = [toys.report(name, *9 * [PASSED]) for name in names]
    toys.hand_in_bytes("b", b"")
    shutil.rmtree(toys.course.submitted / "e")
    for sentence, (name, said) in zip(record(toys.course, reports), why.items(), strict=True):
        assert sentence.startswith(f"{name}, toys: not recorded: ")
        assert said in sentence
    assert grades(toys.course, "a") == grades(toys.course, "d")
    assert grades(toys.course, "d")["double_test"] == (5, False)


def test_half_an_emoji_in_an_answer_is_recorded(toys: ToyClass) -> None:
    grade(toys, "a", *9 * [PASSED], why="half of it: \ud83d")
    notebook = toys.course.root / "autograded" / "a" / "toys" / "toys.ipynb"
    assert "half of it: ?" in notebook.read_text()
    feedback.write_feedback(toys.course, ["toys"])


def test_a_file_that_only_the_grader_can_read_is_recorded(toys: ToyClass) -> None:
    toys.hand_in("bom", RIGHT)
    raw = toys.course.submission_path("bom", "toys").read_bytes()
    toys.hand_in_bytes("bom", b"\xef\xbb\xbf" + raw.replace(b"\\n", b"\\r\\n"))
    record(toys.course, [toys.report("bom", *9 * [PASSED])])
    assert grades(toys.course, "bom")["Counter_test"] == (4, False)


def test_cells_that_a_student_lost_or_retyped_are_back(toys: ToyClass) -> None:
    toys.hand_in("a", {})
    text = toys.course.submission_path("a", "toys").read_text()
    damaged = text.replace('"id": "Counter_test", ', "").replace('"Counter_test"', '"gone"')
    toys.hand_in_bytes(
        "a", damaged.replace('"cell_type": "markdown"', '"cell_type": "raw"').encode()
    )
    record(toys.course, [toys.report("a", *NOTHING)])
    assert set(grades(toys.course, "a")) == {"double_test", "Counter_test", "why"}
    assert not any(waits for _, waits in grades(toys.course, "a").values())


def test_grading_again_keeps_what_a_person_gave_and_said(toys: ToyClass) -> None:
    grade(toys, "a", *9 * [FAILED], why="Because.")
    with book_of(toys.course) as book:
        book.find_grade("why", "toys", "toys", "a").manual_score = 1.5
        book.find_comment("why", "toys", "toys", "a").manual_comment = "Well said."
        book.db.commit()
    record(toys.course, [toys.report("a", *9 * [PASSED])])
    with book_of(toys.course) as book:
        assert book.find_grade("why", "toys", "toys", "a").manual_score == 1.5
        assert book.find_submission("toys", "a").score == 9 + 1.5
    assert comment(toys.course, "a", "why") == "Well said."
    assert grades(toys.course, "a")["why"] == (None, False)


def test_points_for_an_answer_that_has_changed_since_wait_until_a_person_has_looked(
    toys: ToyClass,
) -> None:
    for answer, waits in (("Because.", True), ("Because it doubles.", True)):
        toys.hand_in("a", RIGHT | {"why": answer})
        report = toys.report("a", *9 * [PASSED])
        for _ in range(2):  # the second time, the answer is the same
            record(toys.course, [report])
            assert grades(toys.course, "a")["why"] == (None, waits)
            report = report.model_copy(update={"warnings": ("again",)})
        (marks,) = read_marks(toys.course, ["toys"])
        assert (marks.score, marks.max_score, marks.not_graded) == (9, 9, ("why",))
        give(toys.course, "a", "why", 1.5)
        (marks,) = read_marks(toys.course, ["toys"])
        assert (marks.score, marks.max_score, marks.not_graded) == (10.5, 11, ())
        record(toys.course, [toys.report("a", *9 * [PASSED], warnings=("new",))])
        assert grades(toys.course, "a")["why"] == (None, False)


def test_an_exercise_is_worth_what_its_hidden_tests_say_and_the_release_follows_later(
    toys: ToyClass,
) -> None:
    toys.hand_in("a", RIGHT)
    course = with_settings(toys.course.root, "[assignments.toys]\npoints = { double = 1.2 }")
    release(course, ["toys"])
    report = toys.report("a", *9 * [PASSED])
    assert record(course, [report]) == []
    (marks,) = read_marks(course, ["toys"])
    assert (marks.score, marks.max_score) == (9, 5 + 4 + 2)
    job = Job("a", "toys", course.submission_path("a", "toys"))
    (sentence,) = points_that_differ(course, [Graded(job, report)])
    assert "double is worth 5 points in its hidden tests and 6 in the released" in sentence


def test_new_points_reach_a_gradebook_with_submissions(toys: ToyClass) -> None:
    grade(toys, "a", *9 * [PASSED])
    factors = "points = { double = 0.8, Counter = 1.25 }"
    course = with_settings(toys.course.root, f"[assignments.toys]\n{factors}")
    release(course, ["toys"])
    report = toys.report("a", *9 * [PASSED])
    moved = report.exercises[0].tests[4]
    double = report.exercises[0].model_copy(
        update={"tests": report.exercises[0].tests[:4], "score": 4.0, "max_score": 4.0}
    )
    counter = report.exercises[1].model_copy(
        update={"tests": (moved, *report.exercises[1].tests), "score": 5.0, "max_score": 5.0}
    )
    report = report.model_copy(update={"exercises": (double, counter)})
    toys.course.report_path("a", "toys").write_text(report.to_json())
    record(toys.course, [report])
    assert grades(toys.course, "a")["Counter_test"] == (5, False)


@pytest.mark.exhaustive  # nbgrader's own command takes seconds
def test_new_cells_after_submissions_are_refused_in_one_sentence(toys: ToyClass) -> None:
    grade(toys, "a", *9 * [PASSED])
    script = SCRIPT.replace('"why"', '"why_not"')
    (toys.course.solutions / "toys.py").write_text(script)
    release(toys.course, ["toys"])
    with pytest.raises(CourseError, match="earlier version of toys with other cells"):
        record(toys.course, [toys.report("a", *9 * [PASSED])])
    removing = ("db", "assignment", "remove", "toys", "--force")
    for _ in range(2):  # the second time, the report is the same
        assert run_nbgrader(toys.course, *removing).returncode == 0
        assert record(toys.course, [toys.report("a", *9 * [PASSED])]) == []
        assert grades(toys.course, "a")["why_not"] == (0, False)


def test_a_course_without_settings_says_what_to_do(toys: ToyClass) -> None:
    (toys.course.root / "nbgrader_config.py").unlink()
    toys.hand_in("a", RIGHT)
    with pytest.raises(CourseError, match="copy it from a course made by"):
        record(toys.course, [toys.report("a", *9 * [PASSED])])


def test_what_is_recorded_is_not_recorded_again_unless_a_part_of_it_is_lost(
    toys: ToyClass,
) -> None:
    toys.hand_in("a", RIGHT)
    report = toys.report("a", *9 * [PASSED])
    record(toys.course, [report])
    before = recorded_at(toys.course)
    record(toys.course, [report])
    assert recorded_at(toys.course) == before
    notebook = toys.course.graded_path("a", "toys")
    notebook.rename(notebook.with_suffix(".fresh"))  # as if it had been interrupted
    record(toys.course, [report])
    assert notebook.is_file()
    assert not notebook.with_suffix(".fresh").exists()
    for path in toys.course.root.glob("gradebook.db*"):
        path.unlink()
    record(toys.course, [report])
    assert grades(toys.course, "a")["double_test"] == (5, False)
