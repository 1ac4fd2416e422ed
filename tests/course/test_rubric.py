"""A rubric is read where it is written: in the solution script."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.course.rubric import Question, questions
from tests.courses import KIT
from tests.toys import SCRIPT, TOYS, course_of

RUBRIC = "**Rubric**: one point for each half."


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


def test_a_rubric_in_words_has_no_points_of_its_own(tmp_path: Path) -> None:
    question = question_with(tmp_path, RUBRIC)
    assert question.points == ()
    assert question.rubric == "one point for each half."


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
