"""Difficulty and discrimination: those of NumPy and SciPy, and none where they mean nothing."""

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.report import ExerciseReport, Outcome, Report
from autograder.statistics.figures import (
    MIN_ASIDE,
    MIN_STUDENTS,
    Item,
    discrimination,
    items,
    summaries,
)
from autograder.statistics.mistakes import shared_mistakes
from tests.courses import KIT
from tests.statistics.reports import blank, broken, exercise, report, verdict

SHARE = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])
PAIRS = st.lists(st.tuples(SHARE, SHARE), min_size=MIN_STUDENTS, max_size=60)


def drawn(number: int) -> list[Report]:
    """A class whose students have an ability each; checks of `f` are worth 2 points, or a half."""
    rng = random.Random(0)
    found = []
    for place in range(number):
        able = rng.random()
        f = [2.0 * (rng.random() < able) for _ in range(3)]
        g = [rng.choice([0.0, 0.5, 1.0]) * (rng.random() < able) for _ in range(4)]
        found.append(report(f"s{place}", exercise("f", f, 2), exercise("g", g, 1)))
    return found


def table(reports: list[Report]) -> Any:
    """Points, a row a student and a column a check, those of `f` before those of `g`."""
    return np.array([[t.score for e in each.exercises for t in e.tests] for each in reports])


def pearsonr(x: Any, y: Any) -> float:
    """Return the correlation, as SciPy computes it."""
    from scipy import stats  # a second, which every worker that collects tests would wait for

    return float(stats.pearsonr(x, y).statistic)


def named(found: list[Item]) -> dict[tuple[str, str], Item]:
    return {(item.exercise, item.check): item for item in found}


def test_the_figures_of_checks_are_those_of_numpy() -> None:
    reports = drawn(60)
    points = table(reports)
    found = named(items(reports))
    columns = [("f", f"c{n}.", 2) for n in range(3)] + [("g", f"c{n}.", 1) for n in range(4)]
    for column, (name, check, most) in enumerate(columns):
        item, own = found[name, check], points[:, column]
        rest = points.sum(axis=1) - own
        assert item.difficulty == pytest.approx(np.mean(own) / most)
        assert item.discrimination == pytest.approx(np.corrcoef(own, rest)[0, 1])
        assert (item.students, item.missed) == (60, np.sum(own < most))


def test_the_figures_of_exercises_are_those_of_numpy_and_scipy() -> None:
    reports = drawn(60)
    points = table(reports)
    f, g = points[:, :3].sum(axis=1), points[:, 3:].sum(axis=1)
    found = named(items(reports))
    expected = pearsonr(f, g)
    assert found["f", ""].difficulty == pytest.approx(np.mean(f) / 6)
    assert found["g", ""].difficulty == pytest.approx(np.mean(g) / 4)
    assert found["f", ""].discrimination == pytest.approx(expected)
    assert found["g", ""].discrimination == pytest.approx(expected)


@pytest.mark.slow
@given(PAIRS)
def test_discrimination_is_a_correlation_or_says_what_it_needs(
    pairs: list[tuple[float, float]],
) -> None:
    value, why_not = discrimination(pairs)
    assert (value is None) == bool(why_not)
    if value is not None:
        assert -1 <= value <= 1
        assert value == pytest.approx(pearsonr(*zip(*pairs, strict=True)))


def test_a_small_class_has_no_discrimination_and_is_told_what_it_needs() -> None:
    (first, *_) = items(drawn(MIN_STUDENTS - 1))
    assert first.difficulty is not None
    assert first.discrimination is None
    assert f"needs {MIN_STUDENTS} students" in first.why_not
    (first, *_) = items(drawn(MIN_STUDENTS))
    assert first.discrimination is not None


def test_so_few_who_differ_decide_nothing() -> None:
    def with_missing(number: int) -> tuple[float | None, str]:
        return discrimination([(float(n >= number), n / 40) for n in range(40)])

    assert with_missing(MIN_ASIDE - 1)[0] is None
    assert f"needs {MIN_ASIDE} students who did differently here" in with_missing(0)[1]
    assert with_missing(MIN_ASIDE)[0] is not None


def test_where_all_else_is_equal_there_is_nothing_to_compare_with() -> None:
    assert discrimination([(n % 2, 0.5) for n in range(40)]) == (
        None,
        "needs students who did differently elsewhere",
    )


def test_an_assignment_of_one_check_has_no_rest() -> None:
    reports = [report(f"s{n}", exercise("f", [n % 2])) for n in range(40)]
    assert [item.discrimination for item in items(reports)] == [None, None]


def test_what_could_not_be_run_counts_neither_here_nor_in_the_rest() -> None:
    whole = drawn(40)
    faulty = [report(each.student, *each.exercises, broken("h")) for each in whole]
    found = named(items(faulty))
    assert {key: found[key] for key in named(items(whole))} == named(items(whole))
    assert ("h", "") not in found
    assert ("h", "c0.") not in found
    assert found["h", "c1."].difficulty == 1


def test_checks_worth_nothing_are_left_out() -> None:
    found = items([report("ada", exercise("f", [0, 0], 0), exercise("g", [1]))])
    assert [(item.exercise, item.check) for item in found] == [("g", ""), ("g", "c0.")]


def test_whoever_fails_what_is_worth_nothing_has_missed_no_points() -> None:
    wrong = ExerciseReport.of("f", (verdict(Outcome.FAILED, "c0", 0, 0),))
    (summary,) = summaries([report("ada", wrong)])
    assert (summary.unexplained, summary.full_marks) == ((), 0)


def test_a_check_that_the_best_miss_is_pointed_out() -> None:
    assert "Look at this one" in Item("f", "c", 40, 20, 0.5, -0.1).remark
    assert Item("f", "c", 40, 20, 0.5, 0.5).remark == ""
    assert "Nearly everybody" in Item("f", "c", 40, 1, 0.99, None).remark
    assert "Hardly anybody" in Item("f", "c", 40, 38, 0.05, 0.1).remark
    assert "says little" in Item("f", "c", 40, 20, 0.5, 0.1).remark


def test_an_exercise_is_summed_up_over_the_reports_that_have_it() -> None:
    reports = [
        report("ada", exercise("f", [1, 1])),
        report("bo", exercise("f", [1, 0], 1, "thrice")),
        report("cy", exercise("f", [0, 0])),
        report("di", blank("f")),
        report("eve", broken("f")),
        report("zoe", exercise("g", [1]), exercise("f", [1, 1])),
    ]
    f, g = summaries(reports)
    assert (f.name, f.mean, f.max_score) == ("f", 1, 2)  # of the five that are graded
    assert (f.full_marks, f.not_attempted, f.not_graded) == (2, 1, 1)
    assert f.unexplained == ("cy",)
    assert (g.name, g.mean, g.full_marks) == ("g", 1, 1)


def test_what_one_change_mends_is_no_mistake_that_a_class_shares() -> None:
    """Students who share its tag share a kind of change, and each has a mistake of their own."""
    ada = report("ada", exercise("double", [0, 1], 1, "one-change-number"))
    bo = report("bo", exercise("double", [0, 1], 1, "one-change-number", "thrice"))
    (double,) = summaries([ada, bo])
    assert double.unexplained == ("ada",)
    mistakes = shared_mistakes(KIT, "hw1_attention", [ada, bo])
    assert [each.tag for each in mistakes["double"]] == ["thrice"]
