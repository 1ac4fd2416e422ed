"""Who reads an answer as the second, and how far two readers agree."""

import random
from collections.abc import Iterable
from datetime import datetime

import pytest

from autograder.gradebook.marks import DeskGrade, Mark
from autograder.gradebook.second_readings import MIN_PAIRS, Agreement, Reading, is_for_second

AT = datetime(2026, 1, 1)


def reading(action: int, first: float, second: float) -> Reading:
    return Reading(str(action), "", "", "bob", (), second, "ada", first, is_decided=False)


def agreement(pairs: Iterable[tuple[float, float]]) -> Agreement:
    return Agreement.of(reading(place, *pair) for place, pair in enumerate(pairs))


def read_by(grader: str, key: str) -> Mark:
    given = DeskGrade(1, grader, AT, "", (), 1, "", grader)
    return Mark("why", "why", 1, 2, manual=1, key=key, newest=given)


def test_agreement_is_that_of_a_table_summed_by_hand() -> None:
    """Firsts are 15, 5, 10 times 0, 1, 2, and seconds 10, 5, 15 times.

    Squares by chance: 15·5 + 15·15·4 + 5·10 + 5·15 + 10·10·4 + 10·5 = 1550 of 900 pairs; those that
    were found: 10 of 30. Kappa is 1 - (10/30) / (1550/900) = 25/31.
    """
    found = agreement(10 * [(0, 0)] + 10 * [(2, 2)] + 5 * [(1, 2)] + 5 * [(0, 1)])
    assert found.equal == 20
    assert found.mean_difference == pytest.approx(1 / 3)
    assert found.kappa == pytest.approx(25 / 31)


@pytest.mark.parametrize(
    ("pairs", "kappa"),
    [
        ([(0, 0), (2, 2)], 1),
        ([(0, 0), (0, 2), (2, 0), (2, 2)], 0),
        ([(0, 2), (2, 0)], -1),
    ],
)
def test_kappa_is_1_in_full_agreement_0_by_chance_and_negative_below(
    pairs: list[tuple[float, float]], kappa: float
) -> None:
    assert agreement(MIN_PAIRS * pairs).kappa == pytest.approx(kappa)


def test_kappa_of_few_readings_or_of_points_that_are_all_the_same_is_not_told() -> None:
    assert agreement([(0, 0), (1, 2)] * (MIN_PAIRS // 2)).kappa is not None
    assert agreement([(0, 0), (1, 2)] * (MIN_PAIRS // 2 - 1)).kappa is None
    assert agreement(MIN_PAIRS * [(2, 2)]).kappa is None


def test_alike_answers_that_were_read_at_once_count_once() -> None:
    found = Agreement.of([reading(1, 2, 1), reading(1, 2, 1), reading(2, 1, 1)])
    assert sorted(found.pairs) == [(1, 1), (2, 1)]


def test_about_one_in_five_is_drawn_and_always_the_same() -> None:
    drawn = random.Random(1)
    marks = [read_by("ada", f"{drawn.getrandbits(128):032x}") for _ in range(1000)]
    found = [is_for_second(mark, 5, None, "bob") for mark in marks]
    assert 150 < sum(found) < 250  # four standard deviations: 4·√(1000·0.2·0.8) = 51
    assert found == [is_for_second(mark, 5, None, "bob") for mark in marks]
    assert all(is_for_second(mark, 1, None, "bob") for mark in marks)
    assert not any(is_for_second(mark, None, None, "bob") for mark in marks)


def test_nobody_is_the_second_to_read_what_they_read_first() -> None:
    assert is_for_second(read_by("ada", "0"), 1, None, "bob")
    assert not is_for_second(read_by("ada", "0"), 1, None, "ada")
    assert not is_for_second(read_by("ada", "0"), 1, reading(1, 2, 2), "carl")
