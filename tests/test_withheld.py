"""While the name of a mistake is withheld, answers that hold it are told something else."""

from tests.courses import KIT
from tests.mutants.exercises import exercise_named
from tests.mutants.figures import Share
from tests.mutants.withheld import Told, Withheld, Without, holders_of, told

TAG = "softmax-first-axis"


def test_a_mistake_is_called_by_its_name_unless_that_is_withheld() -> None:
    exercise = exercise_named(KIT, "softmax")
    diagnosis = Without(KIT, exercise.assignment, exercise.given)
    (variant,) = (mutant for mutant in holders_of(exercise) if mutant.name == TAG)
    (found,) = told(exercise, diagnosis, variant)
    assert (found.tag, found.answer) == (TAG, TAG)
    assert TAG not in found.names
    assert found.first
    for tag, names in (("another", (TAG,)), (TAG, found.names)):
        diagnosis.withheld = tag
        suspects = diagnosis.suspects_of("softmax")
        assert (TAG in {v.tag for s in suspects for v in s.candidate.variants}) is (names == (TAG,))


def test_a_name_is_false_if_the_answer_does_not_hold_it() -> None:
    own = Told("a", "both", names=("b",), false=(), first="It was 7.")
    other = Told("a", "one", names=("c",), false=("c",), first="It was 7.")
    assert Withheld.of([own, other]).false == Share(1, 2)
