"""Marks and names get no worse: no figure may fall below the one in `tests/mutants/figures.toml`.

Every answer on file is tried and diagnosed, under one seed; `make mutants` tries right answers
under several, and `make exhaustive` under 200.
"""

import pytest

from tests.courses import EXERCISES, KIT
from tests.mutants.exercises import exercise_named, right_answers_of, wrong_answers_of
from tests.mutants.figures import Figures, on_file, worse
from tests.mutants.trials import SEEDS, RightAnswer, diagnosis_of, fate_of, trial_of

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive, pytest.mark.filterwarnings("ignore")]


@pytest.mark.parametrize("exercise", [exercise for _, exercise in EXERCISES])
def test_no_figure_is_worse_than_the_one_on_file(exercise: str) -> None:
    tried = exercise_named(KIT, exercise)
    diagnosis = diagnosis_of(tried)
    answers = [RightAnswer(*answer, seed=SEEDS[0]) for answer in right_answers_of(tried)]
    right = [trial_of(tried, diagnosis, answer) for answer in answers]
    wrong = [fate_of(tried, diagnosis, mutant) for mutant in wrong_answers_of(tried)]
    assert list(worse(tried, Figures.of(right, wrong), on_file())) == []
