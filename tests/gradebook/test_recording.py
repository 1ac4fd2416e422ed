"""What the grader found stands in nbgrader's gradebook, as nbgrader itself would have put it."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from nbgrader.api import Gradebook

from autograder import gradebook
from autograder.authoring.release import release
from autograder.course import Course
from autograder.errors import CourseError, GraderFault
from autograder.report import Outcome
from tests.gradebook.conftest import RIGHT, Toys
from tests.toys import ROOT, SCRIPT, points_of

PASSED, FAILED = Outcome.PASSED, Outcome.FAILED
NOTHING = 9 * [Outcome.NOT_ATTEMPTED]


def book_of(course: Course) -> Gradebook:
    return Gradebook(f"sqlite:///{course.root}/gradebook.db")


def grades(course: Course, student: str) -> dict[str, tuple[float | None, bool]]:
    """The automatic score of each graded cell, and whether a person has to look."""
    with book_of(course) as book:
        notebook = book.find_submission_notebook("toys", "toys", student)
        return {
            grade.name: (grade.auto_score, grade.needs_manual_grade) for grade in notebook.grades
        }


def comment(course: Course, student: str, cell: str) -> str | None:
    with book_of(course) as book:
        text: str | None = book.find_comment(cell, "toys", "toys", student).comment
        return text


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
        r"- **Law 3 holds.** `law_3` is \<broken\> \*here\*."
        "\n"
        r"- **Law 4 holds.** `law_4` is \<broken\> \*here\*."
    )


def test_outputs_that_a_student_hands_in_earn_nothing(recorded: Course) -> None:
    assert grades(recorded, "çağla")["double_test"] == (0, False)
    notebook = recorded.root / "autograded" / "çağla" / "toys" / "toys.ipynb"
    assert '"99"' not in notebook.read_text()


def test_a_submission_that_nbgrader_cannot_take_leaves_the_others_alone(toys: Toys) -> None:
    toys.hand_in("a", RIGHT)
    toys.hand_in("b", RIGHT)
    toys.hand_in("c[1]", RIGHT)
    toys.hand_in("d", RIGHT)
    reports = [toys.report(name, *9 * [PASSED]) for name in ("a", "b", "c[1]", "d")]
    toys.hand_in_bytes("b", b"")
    with pytest.raises(GraderFault) as caught:
        gradebook.record(toys.course, reports)
    assert "b, toys: The file is empty" in str(caught.value)
    assert "Rename the folder" in str(caught.value)
    assert grades(toys.course, "a") == grades(toys.course, "d")
    assert grades(toys.course, "d")["double_test"] == (5, False)


def test_what_nothing_can_be_made_of_is_told_and_the_others_are_recorded(toys: Toys) -> None:
    for name in ("a", "b", "c", "d"):
        toys.hand_in(name, RIGHT)
    timestamps = {"a": b"yesterday", "b": b"\xff\xfe", "c": b"9" * 20}
    for name, text in timestamps.items():
        toys.course.submission_path(name, "toys").with_name("timestamp.txt").write_bytes(text)
    reports = [toys.report(name, *9 * [PASSED]) for name in ("a", "b", "c", "d")]
    with pytest.raises(GraderFault) as caught:
        gradebook.record(toys.course, reports)
    assert str(caught.value).count("timestamp.txt contains no valid time") == 3
    assert grades(toys.course, "d")["double_test"] == (5, False)


def test_half_an_emoji_in_an_answer_is_recorded(toys: Toys) -> None:
    toys.hand_in("a", RIGHT | {"why": "half of it: \ud83d"})
    gradebook.record(toys.course, [toys.report("a", *9 * [PASSED])])
    notebook = toys.course.root / "autograded" / "a" / "toys" / "toys.ipynb"
    assert "half of it: ?" in notebook.read_text()
    gradebook.generate_feedback(toys.course, ["toys"])


def test_a_file_that_only_the_grader_can_read_is_recorded(toys: Toys) -> None:
    toys.hand_in("bom", RIGHT)
    raw = toys.course.submission_path("bom", "toys").read_bytes()
    toys.hand_in_bytes("bom", b"\xef\xbb\xbf" + raw.replace(b"\\n", b"\\r\\n"))
    gradebook.record(toys.course, [toys.report("bom", *9 * [PASSED])])
    assert grades(toys.course, "bom")["Counter_test"] == (4, False)


def test_cells_that_a_student_lost_or_retyped_are_back(toys: Toys) -> None:
    toys.hand_in("a", {})
    text = toys.course.submission_path("a", "toys").read_text()
    damaged = text.replace('"id": "Counter_test", ', "").replace('"Counter_test"', '"gone"')
    toys.hand_in_bytes(
        "a", damaged.replace('"cell_type": "markdown"', '"cell_type": "raw"').encode()
    )
    gradebook.record(toys.course, [toys.report("a", *NOTHING)])
    assert set(grades(toys.course, "a")) == {"double_test", "Counter_test", "why"}
    assert not any(waits for _, waits in grades(toys.course, "a").values())


def test_grading_again_keeps_what_a_person_gave_and_asks_to_look_again(toys: Toys) -> None:
    toys.hand_in("a", RIGHT | {"why": "Because."})
    gradebook.record(toys.course, [toys.report("a", *9 * [FAILED])])
    with book_of(toys.course) as book:
        book.find_grade("why", "toys", "toys", "a").manual_score = 1.5
        book.db.commit()
    gradebook.record(toys.course, [toys.report("a", *9 * [PASSED])])
    with book_of(toys.course) as book:
        assert book.find_grade("why", "toys", "toys", "a").manual_score == 1.5
        assert book.find_submission("toys", "a").score == 9 + 1.5
    assert grades(toys.course, "a")["why"] == (None, True)


def test_a_fault_of_the_grader_costs_nothing_but_a_person_has_to_look(toys: Toys) -> None:
    toys.hand_in("a", RIGHT)
    gradebook.record(toys.course, [toys.report("a", Outcome.GRADER_ERROR, *8 * [PASSED])])
    assert grades(toys.course, "a")["double_test"] == (5, True)
    assert grades(toys.course, "a")["Counter_test"] == (4, False)


def test_a_late_penalty_is_taken_from_what_the_grader_gave(toys: Toys) -> None:
    with (toys.course.root / "nbgrader_config.py").open("a") as config:
        config.write('\nc.LateSubmissionPlugin.penalty_method = "zero"\n')
    toys.hand_in("a", RIGHT)
    path = toys.course.submission_path("a", "toys").with_name("timestamp.txt")
    path.write_text("2026-02-02 00:00:00 UTC")
    report = toys.report("a", *3 * [PASSED], *6 * [FAILED])
    gradebook.record(toys.course, [report])
    with book_of(toys.course) as book:
        book.update_or_create_assignment("toys", duedate=datetime(2026, 2, 1))
    gradebook.record(toys.course, [report])
    with book_of(toys.course) as book:
        notebook = book.find_submission_notebook("toys", "toys", "a")
        assert notebook.late_submission_penalty == 3


def test_a_penalty_does_not_hang_on_a_file(toys: Toys) -> None:
    with (toys.course.root / "nbgrader_config.py").open("a") as config:
        config.write('\nc.LateSubmissionPlugin.penalty_method = "zero"\n')
    toys.hand_in("a", RIGHT)
    report = toys.report("a", *3 * [PASSED], *6 * [FAILED])
    gradebook.record(toys.course, [report])
    with book_of(toys.course) as book:
        book.update_or_create_assignment("toys", duedate=datetime(2026, 2, 1))
        book.update_or_create_submission("toys", "a", timestamp=datetime(2026, 2, 2))
    gradebook.record(toys.course, [report])
    assert penalty(toys.course) == 3
    with book_of(toys.course) as book:
        book.grant_extension("toys", "a", days=2)
    gradebook.record(toys.course, [report])
    assert penalty(toys.course) is None


def test_half_a_notebook_is_no_record(toys: Toys) -> None:
    toys.hand_in("a", RIGHT)
    report = toys.report("a", *9 * [PASSED])
    gradebook.record(toys.course, [report])
    path = toys.course.root / "autograded" / "a" / "toys" / "toys.ipynb"
    path.rename(path.with_suffix(".fresh"))
    gradebook.record(toys.course, [report])
    assert path.is_file()
    assert not path.with_suffix(".fresh").exists()


def penalty(course: Course) -> float | None:
    with book_of(course) as book:
        found: float | None = book.find_submission_notebook(
            "toys", "toys", "a"
        ).late_submission_penalty
        return found


def test_points_that_disagree_with_the_release_are_not_recorded(toys: Toys) -> None:
    toys.hand_in("a", RIGHT)
    release(toys.course, ["toys"], lambda name: {"double": 6, "Counter": 4})
    with pytest.raises(GraderFault, match="5 points in its hidden tests but 6"):
        gradebook.record(toys.course, [toys.report("a", *9 * [PASSED])])


def test_new_points_reach_a_gradebook_with_submissions(toys: Toys) -> None:
    toys.hand_in("a", RIGHT)
    gradebook.record(toys.course, [toys.report("a", *9 * [PASSED])])
    release(toys.course, ["toys"], lambda name: {"double": 4, "Counter": 5})
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
    gradebook.record(toys.course, [report])
    assert grades(toys.course, "a")["Counter_test"] == (5, False)


def test_new_cells_after_submissions_are_refused_in_one_sentence(toys: Toys) -> None:
    toys.hand_in("a", RIGHT)
    gradebook.record(toys.course, [toys.report("a", *9 * [PASSED])])
    script = SCRIPT.replace('"why"', '"why_not"')
    (toys.course.solutions / "toys.py").write_text(script)
    release(toys.course, ["toys"], points_of)
    with pytest.raises(CourseError, match="earlier version of toys with other cells"):
        gradebook.record(toys.course, [toys.report("a", *9 * [PASSED])])


def recorded_at(course: Course) -> int:
    path = course.root / "autograded" / "a" / "toys" / "toys.ipynb"
    return path.stat().st_mtime_ns


def test_what_the_gradebook_holds_is_not_recorded_again(toys: Toys) -> None:
    toys.hand_in("a", RIGHT)
    report = toys.report("a", *9 * [PASSED])
    gradebook.record(toys.course, [report])
    before = recorded_at(toys.course)
    gradebook.record(toys.course, [report])
    assert recorded_at(toys.course) == before


def test_a_gradebook_that_was_lost_is_filled_again(toys: Toys) -> None:
    toys.hand_in("a", RIGHT)
    report = toys.report("a", *9 * [PASSED])
    gradebook.record(toys.course, [report])
    for path in toys.course.root.glob("gradebook.db*"):
        path.unlink()
    gradebook.record(toys.course, [report])
    assert grades(toys.course, "a")["double_test"] == (5, False)


def run_nbgrader(course: Course, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run nbgrader's own command line, on a PATH that knows nothing of our environment."""
    environment: dict[str, Any] = os.environ | {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=course.root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_nbgraders_own_command_comes_to_the_same_grades(toys: Toys) -> None:
    (toys.course.root / "gradebook.db").unlink()
    toys.hand_in("a", RIGHT)
    toys.report("a", *3 * [PASSED], *6 * [FAILED])
    done = run_nbgrader(toys.course, "autograde", "toys")
    assert done.returncode == 0, done.stderr
    assert grades(toys.course, "a")["double_test"] == (3, False)
    versions = sqlite3.connect(toys.course.root / "gradebook.db").execute(
        "SELECT version_num FROM alembic_version"
    )
    assert versions.fetchone()


@pytest.mark.slow
def test_nbgraders_own_release_is_ours(toys: Toys) -> None:
    ours = toys.course.release_path("toys").read_bytes()
    done = run_nbgrader(toys.course, "generate_assignment", "toys", "--force")
    assert done.returncode == 0, done.stderr
    assert toys.course.release_path("toys").read_bytes() == ours


@pytest.mark.slow
def test_the_formgrader_lists_what_is_released(toys: Toys) -> None:
    (toys.course.root / "gradebook.db").unlink()
    command = gradebook.formgrader_command(toys.course)
    assert Path(command[0]) == Path(sys.executable)
    with book_of(toys.course) as book:
        assert [assignment.name for assignment in book.assignments] == ["toys"]


def test_a_course_without_settings_says_what_to_do(toys: Toys) -> None:
    (toys.course.root / "nbgrader_config.py").unlink()
    toys.hand_in("a", RIGHT)
    with pytest.raises(CourseError, match="copy the kit's"):
        gradebook.record(toys.course, [toys.report("a", *9 * [PASSED])])
