"""A student is told where they stand, one thing to do next, and each mistake once."""

from dataclasses import dataclass

import pytest

from autograder.report import FOLLOWED_THROUGH, Outcome
from autograder.telling.record import COSTS_ONCE, FAULT, NOT_WRITTEN, Idea, card_of, summary_of
from tests.telling.reports import SCALED, exercise, report, verdict

PASSED, BLANK = Outcome.PASSED, Outcome.NOT_ATTEMPTED
RIGHT = exercise(verdict("sum", PASSED), name="sum")
WRONG = exercise(verdict("sum", PASSED), verdict("scale", message="It is too small."), named=True)


@dataclass(frozen=True)
class Held:
    score: float | None
    comment: str = ""
    by_hand: bool = True
    earned: tuple[str, ...] = ()


def test_points_that_wait_for_a_person_are_told_apart() -> None:
    assert summary_of(report(RIGHT, WRONG)).standing == (
        "You have 2 of 3 points so far; 2 more wait for a person."
    )
    assert summary_of(report(RIGHT, worth=1)).standing.endswith("; 1 more waits for a person.")


def test_once_all_is_graded_nothing_waits_and_lateness_is_told() -> None:
    given = {"attend": Held(1), "why": Held(2)}
    assert summary_of(report(WRONG), given).standing == "You have 3 of 4 points."
    late = summary_of(report(WRONG), given, penalty=1).standing
    assert late == "You have 2 of 4 points, after 1 point for being late."
    assert summary_of(report(RIGHT), {"sum": Held(1), "why": Held(2)}).standing == (
        "You have all 3 points."
    )


def test_the_next_step_is_the_first_exercise_with_points_to_earn_and_its_mistake() -> None:
    blank = exercise(verdict("mask", BLANK), name="mask")
    summary = summary_of(report(RIGHT, WRONG, blank))
    assert summary.next is not None
    assert summary.next.name == "attend"
    assert summary.next_step == f"{SCALED.message} This exercise can still earn 1 point."
    untouched = summary_of(report(blank)).next_step
    assert untouched == f"{NOT_WRITTEN} This exercise can still earn 1 point."


@pytest.mark.parametrize(
    ("outcome", "state", "mistakes"),
    [
        (PASSED, "✓ all of it", ()),
        (Outcome.FAILED, "✗ something to learn", ("It is too small.",)),
        (BLANK, "– not written yet", (NOT_WRITTEN,)),
    ],
)
def test_an_exercise_without_points_is_told_as_others_are_and_is_never_next(
    outcome: Outcome, state: str, mistakes: tuple[str, ...]
) -> None:
    message = "" if outcome is PASSED else "It is too small."
    found = verdict("scale", outcome, message, idea="the scale")
    practice = exercise(found.model_copy(update={"score": 0, "max_score": 0}), name="practice")
    summary = summary_of(report(practice, WRONG))
    card = summary.cards[0]
    assert (card.points, card.state, card.mistakes) == ("worth no points", state, mistakes)
    assert (card.ideas, [check.points for check in card.checks]) == ((), [""] * (outcome != BLANK))
    assert summary.next is not None
    assert summary.next.name == "attend"


def test_without_points_to_earn_there_is_no_next_step() -> None:
    summary = summary_of(report(RIGHT))
    assert (summary.next, summary.next_step) == (None, "")


IDEAS = (
    verdict("sum", PASSED, idea="rows sum to 1"),
    verdict("scale", idea="the scale"),
    verdict("share", PASSED, idea="rows sum to 1"),
)


def test_the_tests_of_one_idea_are_summed_up_in_the_order_of_the_exercise() -> None:
    ideas = card_of(exercise(*IDEAS)).ideas
    assert ideas == (Idea("rows sum to 1", 2, 2), Idea("the scale", 0, 1))
    assert [idea.sign for idea in ideas] == ["✓", "✗"]


def test_no_ideas_are_told_where_nothing_is_written_or_known_or_a_person_gave_the_points() -> None:
    assert card_of(exercise(verdict("mask", BLANK, idea="the mask"))).ideas == ()
    fault = verdict("mask", Outcome.GRADER_ERROR, idea="the mask")
    assert card_of(exercise(*IDEAS, fault)).ideas == ()
    assert card_of(exercise(*IDEAS), Held(3)).ideas == ()


def test_that_a_mistake_costs_its_points_once_is_told_where_a_check_failed_for_nothing() -> None:
    spared = verdict("share", idea="rows sum to 1").model_copy(update={"score": 1})
    assert card_of(exercise(verdict("scale"), spared)).notes == (COSTS_ONCE,)
    assert card_of(exercise(verdict("scale"))).notes == ()
    assert card_of(exercise(verdict("scale"), spared), Held(2)).notes == ()


def test_once_a_mistake_has_a_name_no_check_guesses_at_further_ones() -> None:
    card = card_of(WRONG)
    assert card.mistakes == (SCALED.message,)
    assert [check.message for check in card.checks] == ["", ""]


def test_what_a_named_mistake_does_not_explain_is_told_beside_it() -> None:
    found = exercise(verdict("scale", message="Off by 2."), verdict("sum", message="It is 3."))
    named = {"misconceptions": (SCALED,), "unexplained": ("sum",)}
    card = card_of(found.model_copy(update=named))
    assert card.mistakes == (SCALED.message,)
    assert [check.message for check in card.checks] == ["", "It is 3."]


def test_without_a_name_the_first_check_tells_what_it_saw_and_no_message_comes_twice() -> None:
    saw = ("Off by 1.", "Off by 2.", "The rows sum to more.")
    card = card_of(exercise(*(verdict(str(place), message=m) for place, m in enumerate(saw))))
    assert card.mistakes == ("Off by 1.",)
    assert [check.message for check in card.checks] == ["", "", "The rows sum to more."]


def test_a_fault_of_ours_costs_nothing_and_quotes_nothing() -> None:
    card = card_of(exercise(verdict("scale", Outcome.GRADER_ERROR, "NameError: arra")))
    assert (card.score, card.notes, card.mistakes) == (None, (FAULT,), ())
    assert card.points == "not graded yet (1 point)"


def test_what_a_person_gave_and_wrote_stands_on_the_card() -> None:
    why = Held(1.5, "Which half?", earned=("names the root",))
    given = {"attend": Held(2, "Well argued."), "why": why}
    first, last = summary_of(report(WRONG), given).cards
    assert (first.points, first.comment) == ("2 of 2 points", "Well argued.")
    assert (last.points, last.comment) == ("1.5 of 2 points", "Which half?")
    assert last.earned == ("names the root",)


def test_an_answer_in_prose_that_was_left_empty_is_told_apart_from_one_worth_nothing() -> None:
    for by_hand, said in ((False, (NOT_WRITTEN,)), (True, ())):
        summary = summary_of(report(RIGHT), {"sum": Held(1), "why": Held(0, by_hand=by_hand)})
        assert summary.cards[-1].mistakes == said


def test_an_answer_without_points_is_told_to_wait_until_a_person_has_read_it() -> None:
    waiting = summary_of(report(RIGHT, worth=0))
    assert waiting.standing == (
        "You have all 1 point; 1 answer without points is still to be read by a person."
    )
    assert waiting.cards[-1].points == "not graded yet (no points)"
    assert waiting.cards[-1].state == "…"


@pytest.mark.parametrize(
    ("mark", "points", "state"),
    [
        (Held(0), "worth no points", "✓ read"),
        (Held(0, by_hand=False), "worth no points", "– not written yet"),
        (Held(1), "1 point extra", "✓ read"),
    ],
)
def test_an_answer_without_points_that_was_read_says_so(
    mark: Held, points: str, state: str
) -> None:
    summary = summary_of(report(RIGHT, worth=0), {"sum": Held(1), "why": mark})
    card = summary.cards[-1]
    assert (card.points, card.state) == (points, state)
    assert "still to be read" not in summary.standing


def test_where_nothing_is_graded_yet_nobody_has_all_of_it() -> None:
    broken = exercise(verdict("scale", Outcome.GRADER_ERROR))
    assert summary_of(report(broken)).standing == (
        "You have no points so far; 3 more aren't graded yet."
    )


def test_full_points_from_a_person_leave_no_mistake_to_tell() -> None:
    assert card_of(WRONG, Held(2)).mistakes == ()
    assert card_of(WRONG, Held(1.5)).mistakes == (SCALED.message,)


def test_that_an_earlier_mistake_was_followed_through_is_told() -> None:
    assert card_of(WRONG.model_copy(update={"followed_through": True})).notes == (FOLLOWED_THROUGH,)
