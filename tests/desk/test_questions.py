"""Written answers are graded at the desk, and nbgrader's gradebook holds what was given."""

import pytest

from autograder.course import Course
from tests.desk.desks import (
    LISTED,
    POINTS,
    RUBRIC,
    WHY,
    Person,
    answered,
    desk,
    marks_of_why,
    reading,
)
from tests.gradebook.books import book_of, give
from tests.toy_class import ToyClass
from tests.toys import TOYS

pytestmark = pytest.mark.slow  # each makes a class of its own, which takes a second

FIRST, SECOND = POINTS


def in_nbgrader(course: Course, student: str) -> tuple[float | None, bool, str | None]:
    """What the formgrader shows: points and comment of a person, and whether one has to look."""
    with book_of(course) as book:
        grade = book.find_grade("why", TOYS, TOYS, student)
        comment = book.find_comment("why", TOYS, TOYS, student)
        return grade.manual_score, grade.needs_manual_grade, comment.manual_comment


def hand_in_again(school: ToyClass, student: str, why: str) -> None:
    answered(school, {student: why})


def rewrite(course: Course, old: str, new: str) -> None:
    """Change the script in `solutions/`."""
    path = course.solutions / f"{TOYS}.py"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_what_is_ticked_is_what_the_gradebook_holds(one_answer: ToyClass) -> None:
    with reading(one_answer.course) as ada:
        assert ada.answer() == "Because."
        assert "Because of the model answer" in ada.text
        assert "Why is that so?" in ada.text
        ada.earn(SECOND, comment="Where is the *first* half?")
        assert (ada.status, "1 of 1 done" in ada.text) == (200, True)
    assert in_nbgrader(one_answer.course, "a") == (1, False, "Where is the *first* half?")
    assert marks_of_why(one_answer.course)["a"].score == 1
    assert marks_of_why(one_answer.course)["a"].comment == "Where is the *first* half?"


def test_a_line_that_stands_in_the_rubric_twice_counts_each_time_it_is_ticked(
    school: ToyClass,
) -> None:
    rewrite(school.course, POINTS[1], POINTS[0])
    answered(school, {"a": "Because."})
    with reading(school.course) as ada:
        first, second = [str(box["value"]) for box in ada.page.select("[name=earned]")]
        ada.earn(second)
        assert in_nbgrader(school.course, "a")[0] == 1
        ada.undo()
        ada.earn(first, second)
        assert in_nbgrader(school.course, "a")[0] == 2
        ada.open(WHY, show="all")
        assert len(ada.page.select("[name=earned][checked]")) == 2


def test_a_form_that_gives_nothing_saves_nothing_and_keeps_what_was_typed(
    one_answer: ToyClass,
) -> None:
    with reading(one_answer.course) as ada:
        ada.send(comment="typed")
        assert ada.status == 422
        assert "tick what is earned, or 0 for none of it" in ada.text
        assert "typed" in ada.page.select("textarea")[0].get_text()
    assert in_nbgrader(one_answer.course, "a") == (None, True, None)


@pytest.mark.parametrize(("said", "points"), [("1.5", 1.5), ("0,5", 0.5)])
def test_points_may_be_other_than_the_rubrics(
    one_answer: ToyClass, said: str, points: float
) -> None:
    with reading(one_answer.course) as ada:
        ada.earn(FIRST, SECOND, points=said)
        ada.open(WHY, show="all")
        assert ada.page.select("[name=points]")[0]["value"] == f"{points:g}"
    assert marks_of_why(one_answer.course)["a"].score == points


@pytest.mark.parametrize("said", ["3", "-1", "nan", "two"])
def test_points_that_cannot_be_are_refused_in_a_sentence(one_answer: ToyClass, said: str) -> None:
    with reading(one_answer.course) as ada:
        ada.send(points=said)
        assert ada.status == 422
        assert f"'{said}' can't be the points: give a number from 0 to 2." in ada.text
    assert in_nbgrader(one_answer.course, "a") == (None, True, None)


def test_answers_that_say_the_same_are_graded_by_one_action(school: ToyClass) -> None:
    answered(
        school, {"a": "Because of it.", "b": "**Because**  of `it`", "c": "Not because of it."}
    )
    with reading(school.course) as ada:
        while "Not" in ada.answer():
            ada.open(str(ada.page.select("[aria-keyshortcuts=n]")[0]["href"]))
        assert "2 answers are nearly equal and are graded together" in ada.text
        ada.earn(FIRST)
        assert "2 of 3 done" in ada.text
        assert "Not because" in ada.answer()
    assert [marks_of_why(school.course)[each].score for each in "abc"] == [1, 1, None]


def test_one_of_several_equal_answers_can_be_graded_alone(school: ToyClass) -> None:
    answered(school, {"a": "Because.", "b": "Because."})
    with reading(school.course) as ada:
        ada.earn(FIRST, only="1")
        assert "1 of 2 done" in ada.text
    assert {marks_of_why(school.course)[each].score for each in "ab"} == {1, None}


def test_undoing_brings_back_points_and_comment(school: ToyClass) -> None:
    answered(school, {"a": "Because.", "b": "Because."})
    with reading(school.course) as ada:
        ada.earn(FIRST, comment="before")
        ada.open(WHY, show="all")
        ada.send(nothing="1", earned=[], comment="after")
        assert in_nbgrader(school.course, "a") == (0, False, "after")
        ada.undo()
        assert ada.page.select("textarea")[0].get_text() == "before"
        assert [marks_of_why(school.course)[each].score for each in "ab"] == [1, 1]
    assert in_nbgrader(school.course, "a") == (1, False, "before")


def test_undoing_the_first_points_makes_the_answer_wait_again(one_answer: ToyClass) -> None:
    with reading(one_answer.course) as ada:
        ada.earn(FIRST)
        ada.undo()
        assert "0 of 1 done" in ada.text
    assert in_nbgrader(one_answer.course, "a") == (None, True, None)


def test_what_was_changed_since_cannot_be_undone(one_answer: ToyClass) -> None:
    with reading(one_answer.course) as ada:
        ada.earn(FIRST)
        give(one_answer.course, "a", "why", 1.5)
        ada.undo()
        assert ada.status == 409
        assert "This can't be undone any more: it was undone already, or the points" in ada.text
    assert marks_of_why(one_answer.course)["a"].score == 1.5


def test_the_second_of_two_is_told_who_was_first_and_overwrites_nothing(
    one_answer: ToyClass,
) -> None:
    with (
        desk(one_answer.course, "ada") as hers,
        desk(one_answer.course, "bob") as his,
        hers.person() as ada,
        his.person() as bob,
    ):
        ada.open(WHY)
        bob.open(WHY)
        ada.earn(FIRST, SECOND, comment="hers")
        bob.earn(FIRST, comment="his")
        assert bob.status == 409
        assert "Changed meanwhile: ada gave 2 of 2 points" in bob.text
        assert bob.page.select("#standing")[0].get_text() == "hers"
        assert bob.page.select("textarea")[0].get_text() == "his"
        assert [box["value"] for box in bob.page.select("[name=earned][checked]")] == [FIRST]
        assert in_nbgrader(one_answer.course, "a") == (2, False, "hers")
        bob.earn(FIRST, comment="his, after a look")
        assert bob.status == 200
    assert in_nbgrader(one_answer.course, "a") == (1, False, "his, after a look")


def test_points_from_the_formgrader_are_not_overwritten_either(one_answer: ToyClass) -> None:
    with reading(one_answer.course) as ada:
        give(one_answer.course, "a", "why", 1.5)
        ada.earn(FIRST)
        assert "somebody gave 1.5 of 2 points elsewhere" in ada.text
        ada.open(WHY, show="all")
        assert "1.5 of 2 points, not given at the desk" in ada.text
    assert marks_of_why(one_answer.course)["a"].score == 1.5


def test_a_group_of_which_one_was_changed_is_saved_in_whole_or_not_at_all(school: ToyClass) -> None:
    answered(school, {"a": "Because.", "b": "Because."})
    with reading(school.course) as ada:
        give(school.course, "b", "why", 2)
        ada.earn(FIRST)
        assert ada.status == 409
    assert [marks_of_why(school.course)[each].score for each in "ab"] == [None, 2]


def test_who_graded_is_kept(one_answer: ToyClass) -> None:
    with desk(one_answer.course, "ada") as opened, opened.person() as ada:
        ada.open("/")
        ada.send(".grader form", grader="  Ada  Lovelace ")
        ada.open(WHY)
        ada.earn(FIRST)
        ada.open(WHY, show="all")
        assert "1 of 2 points by Ada Lovelace" in ada.text


def test_an_answer_that_changed_is_looked_at_again(one_answer: ToyClass) -> None:
    with reading(one_answer.course) as ada:
        ada.earn(FIRST)
        hand_in_again(one_answer, "a", "For another reason.")
        ada.open(WHY, show="changed")
        assert "The student handed in another answer since this was graded" in ada.text
        assert ada.answer() == "For another reason."
        ada.earn(SECOND)
    assert in_nbgrader(one_answer.course, "a")[:2] == (1, False)
    assert marks_of_why(one_answer.course)["a"].score == 1


def test_an_answer_that_changes_under_somebodys_eyes_is_not_graded(one_answer: ToyClass) -> None:
    with reading(one_answer.course) as ada:
        hand_in_again(one_answer, "a", "For another reason.")
        ada.earn(FIRST)
        assert (ada.status, "Changed meanwhile" in ada.text) == (409, True)
        assert ada.answer() == "For another reason."
    assert marks_of_why(one_answer.course)["a"].score is None


def test_answers_that_an_earlier_rubric_graded_are_listed(school: ToyClass) -> None:
    answered(school, {"a": "Because.", "b": "Why not?"})
    with reading(school.course) as ada:
        ada.earn(FIRST, SECOND)
        rewrite(school.course, SECOND, "the other half.")
        ada.open("/")
        assert "1 graded by an earlier rubric" in ada.text
        ada.open(WHY, show="old")
        assert "Graded by an earlier rubric" in ada.text
        assert "Earned then: the first half. the second half" in ada.text
        ticked = [box["value"] for box in ada.page.select("[name=earned][checked]")]
        assert ticked == [FIRST]
        assert ada.page.select("[name=points]")[0]["value"] == "2"


def test_a_rubric_that_is_only_set_otherwise_is_no_other(one_answer: ToyClass) -> None:
    with reading(one_answer.course) as ada:
        ada.earn(FIRST)
        rewrite(one_answer.course, "the second half, where", "the second\n#   half, where")
        ada.open("/")
        assert "earlier rubric" not in ada.text


def test_a_rubric_that_changes_under_somebodys_eyes_grades_nothing(one_answer: ToyClass) -> None:
    with reading(one_answer.course) as ada:
        rewrite(one_answer.course, SECOND, "the other half.")
        ada.earn(FIRST)
        assert (ada.status, "the rubric isn't the one that you saw" in ada.text) == (409, True)
    assert marks_of_why(one_answer.course)["a"].score is None


def test_a_rubric_that_is_no_list_gives_whole_points(school: ToyClass) -> None:
    rewrite(school.course, LISTED, RUBRIC)
    answered(school, {"a": "Because."})
    with reading(school.course) as ada:
        assert "one point for each half." in ada.text
        ada.send(whole="2")
        ada.open(WHY, show="all")
        assert ada.page.select("[name=whole][checked]")[0]["value"] == "2"
    assert marks_of_why(school.course)["a"].score == 2


def test_a_comment_can_be_said_again(school: ToyClass) -> None:
    answered(school, {"a": "Because.", "b": "Why not?"})
    with reading(school.course) as ada:
        ada.earn(FIRST, comment="Name the *second* half.\n\nAnd why?")
        (again, _) = ada.page.select("[name=reuse]")
        ada.earn(FIRST, comment="Yes.", reuse=str(again["value"]))
    comments = {in_nbgrader(school.course, each)[2] for each in "ab"}
    assert comments == {
        "Name the *second* half.\n\nAnd why?",
        "Yes.\n\nName the *second* half.",
    }


def through(person: Person) -> list[str]:
    """The answers in the order in which one comes to them."""
    person.open(WHY, show="all")
    found = [person.answer()]
    while person.page.select("[aria-keyshortcuts=n]"):
        person.open(str(person.page.select("[aria-keyshortcuts=n]")[0]["href"]))
        if person.answer() == found[0]:
            break
        found.append(person.answer())
    return found


def test_answers_come_shuffled_and_without_names(school: ToyClass) -> None:
    words = ["one", "two", "three", "four", "five", "six", "seven"]
    answered(school, {f"zoe{place}": word for place, word in enumerate(words)})
    with reading(school.course) as ada:
        assert "zoe" not in ada.page.decode()
        order = through(ada)
        assert sorted(order) == sorted(words)
        assert order != words  # the odds are 1 in 5040
        ada.open(WHY, names="1")
        assert ada.page.select("h1")[0].get_text() == "zoe0"
        assert ada.answer() == "one"


def test_a_question_is_shared_out_without_gaps_or_overlaps(school: ToyClass) -> None:
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight"]
    answered(school, {f"s{place}": word for place, word in enumerate(words)})
    with (
        desk(school.course, "ada") as hers,
        desk(school.course, "bob") as his,
        hers.person() as ada,
        his.person() as bob,
    ):
        ada.open("/")
        ada.send(".share form", graders="ada, bob,ada")
        assert "Shared out: ada, bob" in ada.text
        assert sorted(through(ada) + through(bob)) == sorted(words)
        assert len(through(bob)) < len(words)
        ada.open(WHY, everyones="1")
        assert "0 of 8 done" in ada.text


def test_a_notebook_is_shown_without_its_authors_id(school: ToyClass) -> None:
    answered(school, {"zoe": "Because."})
    with reading(school.course) as ada:
        link = str(ada.page.select("[aria-keyshortcuts=o]")[0]["href"])
        ada.open(link.partition("#")[0])
        assert "A student" in ada.text
        assert "Because." in ada.text
        assert "zoe" not in ada.page.decode()
