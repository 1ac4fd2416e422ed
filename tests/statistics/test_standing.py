"""Where students and the class stand: shares, who needs help and in what, what waits, trends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.gradebook.marks import Mark, Marks
from autograder.report import Outcome
from autograder.statistics.figures import (
    MIN_SCORES,
    histogram,
    standings,
    trend,
    written_questions,
)
from autograder.statistics.mistakes import SharedMistake
from tests.statistics.reports import blank, broken, exercise, report, verdict

ADA = report("ada", exercise("f", [1, 1]), exercise("g", [1, 0]), written=["why"])
BO = report("bo", exercise("f", [0, 0], 1, "thrice"), blank("g"), written=["why"])
CY = report("cy", exercise("f", [0, 1]), exercise("g", [0, 0]), written=["why"])


def marks(student: str, penalty: float = 0, by_hand: bool = False, **scores: float | None) -> Marks:
    each = (
        Mark(
            name,
            name if name == "why" else f"{name}_test",
            score,
            4,
            manual=score if by_hand else None,
        )
        for name, score in scores.items()
    )
    return Marks("toys", student, tuple(each), penalty)


def test_points_are_the_gradebooks_and_the_reports_if_not_recorded() -> None:
    ada, bo = standings([ADA, BO], {"ada": marks("ada", f=4, g=2, why=None)}, {}, {})
    assert (ada.score, ada.max_score, ada.share, ada.waits) == (6, 8, 0.75, True)
    assert (bo.score, bo.max_score, bo.share, bo.waits) == (0, 3, 0, True)


def test_a_share_is_never_beyond_all_or_below_nothing() -> None:
    late, extra = standings(
        [ADA, BO], {"ada": marks("ada", penalty=9, f=4), "bo": marks("bo", f=5)}, {}, {}
    )
    assert (late.share, extra.share) == (0, 1)


def test_nothing_graded_is_no_share() -> None:
    (dee,) = standings([report("dee", broken("f"))], {}, {}, {})
    assert (dee.share, dee.waits) == (None, True)
    assert not dee.needs_help


@given(st.lists(st.floats(0, 1), min_size=MIN_SCORES))
def test_everybody_stands_in_one_bin_of_the_histogram(shares: list[float]) -> None:
    bins = histogram(shares)
    assert sum(each.students for each in bins) == len(shares)
    assert (bins[0].low, bins[-1].high) == (0, 1)


def test_a_share_on_an_edge_stands_in_the_upper_bin() -> None:
    counts = [each.students for each in histogram([0, 0.1, 0.3, 0.7, 0.6, 1])]
    assert counts == [1, 1, 0, 1, 0, 0, 1, 1, 0, 1]


def test_few_scores_are_no_histogram() -> None:
    assert histogram((MIN_SCORES - 1) * [0.5]) == []


def test_who_needs_help_comes_with_what_to_work_on() -> None:
    mistake = SharedMistake("f", "thrice", "Multiplies by three", ("bo",), 3)
    found = standings([ADA, CY, BO], {}, {}, {"f": [mistake]})
    assert [(each.student, each.needs_help, each.what) for each in found] == [
        ("ada", False, ()),
        ("cy", True, ("`f`: 1 of 2 checks passed", "`g`: 0 of 2 checks passed")),
        ("bo", True, ("`f`: Multiplies by three", "`g`: not written yet")),
    ]


def test_checks_that_run_after_the_due_date_are_not_counted_yet() -> None:
    waits = verdict(Outcome.LATER, "c2", 0)
    checked = exercise("f", [0, 1])
    dee = report("dee", checked.with_tests((*checked.tests, waits)))
    (standing,) = standings([dee], {}, {}, {})
    assert standing.what == ("`f`: 1 of 2 checks passed",)


def test_what_a_person_gave_full_points_for_needs_no_work() -> None:
    by_hand = Mark("f", "f_test", 4, 4, manual=4)
    given_by_hand = {"bo": Marks("toys", "bo", (by_hand, Mark("g", "g_test", 0, 8)))}
    (bo,) = standings([BO], given_by_hand, {}, {})
    assert bo.what == ("`g`: not written yet",)


def test_the_share_of_the_assignment_before_stands_beside() -> None:
    (ada,) = standings([ADA], {}, {"ada": marks("ada", f=1)}, {})
    assert ada.before == 0.25


def test_written_questions_say_how_many_wait_and_the_mean_of_the_others() -> None:
    known = {"ada": marks("ada", why=4), "bo": marks("bo", why=1), "cy": marks("cy", why=None)}
    class_ = [ADA, BO, CY]
    (why,) = written_questions(class_, standings(class_, known, {}, {}))
    assert (why.name, why.graded, why.waiting, why.mean, why.max_score) == ("why", 2, 1, 2.5, 4)
    (why,) = written_questions(class_, standings(class_, {}, {}, {}))
    assert (why.graded, why.waiting, why.mean) == (0, 3, None)


def test_the_trend_is_of_assignments_of_which_something_is_graded() -> None:
    found = trend({"hw1": [marks("a", f=4), marks("b", f=1)], "hw2": [], "hw3": [marks("a", f=2)]})
    assert [(each.assignment, each.students) for each in found] == [("hw1", 2), ("hw3", 1)]
    assert [each.mean for each in found] == [pytest.approx(0.625), 0.5]
