"""Mutants are made wherever a slip can be made, and the hidden tests kill them; a few are tried.

`make mutants` tries them all.
"""

from dataclasses import replace
from functools import cache

import pytest

from autograder.diagnosis.banks import banks_of
from tests.courses import EXERCISES, KIT, solved
from tests.mutants.exercises import Exercise, Kind, Mutant, exercise_named
from tests.mutants.processes import results_of
from tests.mutants.results import Equivalent, ExerciseResult, listed
from tests.mutants.slips import Slip, slips_in
from tests.mutants.trials import SILENT, Fate, job_of

WHOLE_MODELS = ("hw2_encoder", "hw3_transformer")
SAMPLE = 6  # slips of each exercise
SOLUTION = '''
def attend(Q: Array, K: Array, d_k: int = 3) -> Array:
    """Return 7."""
    if not Q.size:
        raise ValueError(f"{Q} is not 7")
    scores = Q @ K.T / np.sqrt(d_k)
    total = scores.sum(axis=-1, keepdims=True)
    return scores[:, 1:], total


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear1 = nn.Linear(4, 5)
        self.linear2 = nn.Linear(5, 4)

    def forward(self, x):
        return self.linear2(x) + 0.1 * x
'''


SLIPS = slips_in(SOLUTION)


@pytest.mark.parametrize(
    "after",
    [
        "scores = Q * K.T / np.sqrt(d_k)",  # another operator
        "scores = Q @ K.T * np.sqrt(d_k)",
        "scores = Q @ K.T",  # an operand left out
        "scores = Q @ K / np.sqrt(d_k)",  # a transpose left out
        "scores = Q @ Q.T / np.sqrt(d_k)",  # another name of its kind
        "scores = Q @ K.T / d_k",  # a call left out
        "pass",  # a statement left out
        "def attend(Q, K, d_k=4):",  # other numbers
        "total = scores.sum(axis=0, keepdims=True)",
        "total = scores.sum(axis=-2, keepdims=True)",
        "return self.linear2(x) + 0.2 * x",
        "total = scores.sum(axis=-1, keepdims=False)",
        "total = scores.sum(keepdims=True)",  # an argument left out
        "total = scores.mean(axis=-1, keepdims=True)",  # a function near it
        "if Q.size:",  # a condition negated
        "return (total, scores[:, 1:])",  # another order
        "self.linear1 = nn.Linear(5, 4)",
        "return (scores, total)",  # an index left out
        "return (scores[:, :], total)",
        "return self.linear1(x) + 0.1 * x",  # another attribute made alike
    ],
)
def test_slips_of_every_kind_are_made(after: str) -> None:
    assert after in [slip.after for slip in SLIPS]


def test_docstrings_hints_and_words_of_errors_are_left_alone() -> None:
    sources = [slip.source for slip in SLIPS]
    assert not any("Return 7" in source or "Array" in source for source in sources)
    assert all("f'{Q} is not 7'" in source for source in sources if "raise" in source)


def test_every_slip_can_be_compiled_and_is_another() -> None:
    sources = [slip.source for slip in SLIPS]
    for source in sources:
        compile(source, "slip", "exec")
    assert len(sources) == len(set(sources)) > 60


def test_a_slip_says_what_it_changes() -> None:
    (slip,) = slips_in("def f():\n    return not x\n")[1:]
    assert (slip.before, slip.after) == ("return not x", "return x")


@cache  # to make them takes seconds
def slips_of(assignment: str, exercise: str) -> list[Slip]:
    return slips_in(solved(KIT, assignment)[exercise])


@pytest.mark.slow
def test_what_is_listed_as_equivalent_is_a_slip_and_has_a_proof() -> None:
    for entry in listed():
        slips = slips_of(entry.assignment, entry.exercise)
        assert (entry.before, entry.after) in [(slip.before, slip.after) for slip in slips]
        assert len(entry.proof) > 20


LISTED = [Equivalent("hw", "f", "return 1", "return +1", "+1 is 1.")]
EXERCISE = Exercise(KIT, "hw", "f", (), {}, guarded=(), tests=("test_a", "test_b"), ideas=())


def slipped(after: str, *failed: tuple[str, ...]) -> Fate:
    return Fate(Mutant(Kind.SLIP, "", "", before="return 1", after=after), failed)


def result_of(*fates: Fate) -> ExerciseResult:
    return ExerciseResult(EXERCISE, fates, LISTED)


KILLED = (slipped("return 2", ("test_a",), ("test_a",)), slipped("return 3", ("test_b",)))
SPARED = slipped("return +1", ())


def test_all_is_well_if_what_survives_is_listed_and_each_test_kills_first() -> None:
    result = result_of(*KILLED, SPARED)
    assert not result.troubled
    assert [equivalent.proof for _, equivalent in result.spared] == ["+1 is 1."]


def test_a_mutant_that_one_seed_lets_live_is_a_survivor() -> None:
    survivor = slipped("return 4", ("test_a",), ())
    assert result_of(*KILLED, SPARED, survivor).survivors == [survivor]
    assert result_of(*KILLED, SPARED, survivor).troubled


def test_a_listed_mutant_that_is_killed_is_reported() -> None:
    result = result_of(*KILLED, slipped("return +1", ("test_a",)))
    assert [entry.after for entry in result.outdated] == ["return +1"]
    assert result.troubled


def test_a_hidden_test_that_only_fails_after_others_is_dead() -> None:
    result = result_of(slipped("return 2", ("test_a", "test_b")), SPARED)
    assert result.dead_tests == ["test_b"]
    assert result.troubled


@pytest.mark.parametrize(("named", "well"), [(("a",), True), (("b",), False), ((), False)])
def test_a_misconception_has_to_be_called_by_its_name(named: tuple[str, ...], well: bool) -> None:
    fate = Fate(Mutant(Kind.VARIANT, "a", "", tags=("a",)), (("test_a",),), named)
    assert result_of(*KILLED, SPARED, fate).troubled is not well


def test_answers_and_slips_are_never_misnamed_for_figures_are_kept_of_answers() -> None:
    unnamed = Fate(Mutant(Kind.ANSWER, "odd", "", tags=("a",)), (("test_a",),))
    assert result_of(*KILLED, SPARED, unnamed).misnamed == []


def fates_of(exercise: Exercise, *sources: str, patience: float = 60) -> list[Fate]:
    mutants = [Mutant(Kind.SLIP, "", source) for source in sources]  # which aren't diagnosed
    return results_of(job_of(exercise, mutants), patience)


@pytest.mark.slow
def test_a_mutant_that_hangs_or_ends_its_process_is_killed_and_the_others_go_on() -> None:
    softmax = exercise_named(KIT, "softmax")
    right = softmax.solved["softmax"]
    endless = "def softmax(x):\n    while True:\n        pass\n"
    deadly = "import os\ndef softmax(x):\n    os._exit(0)\n"
    fates = fates_of(softmax, endless, right, deadly, right, patience=3)
    assert [fate.failed for fate in fates] == 2 * [((SILENT,),), ((), ())]


@pytest.mark.slow
def test_nothing_is_tried_where_the_solution_itself_fails() -> None:
    wrong = {"softmax": "def softmax(x):\n    return x\n"}
    broken = replace(exercise_named(KIT, "softmax"), solved=wrong)
    with pytest.raises(RuntimeError, match="the solution itself fails"):
        fates_of(broken, wrong["softmax"])


@pytest.mark.slow
@pytest.mark.parametrize(  # `make mutants` tries all slips, which takes long with whole models
    ("assignment", "exercise"),
    [
        pytest.param(*each, marks=pytest.mark.exhaustive if each[0] in WHOLE_MODELS else ())
        for each in EXERCISES
        if each[1] in banks_of(KIT, each[0])
    ],
)
def test_a_sample_of_slips_is_killed(assignment: str, exercise: str) -> None:
    spared = [entry.after for entry in listed() if entry.exercise == exercise]
    slips = slips_of(assignment, exercise)
    sample = [slip for slip in slips[:: max(1, len(slips) // SAMPLE)] if slip.after not in spared]
    fates = fates_of(exercise_named(KIT, exercise), *(slip.source for slip in sample))
    survivors = [slip for slip, fate in zip(sample, fates, strict=True) if not fate.killed]
    assert survivors == []
