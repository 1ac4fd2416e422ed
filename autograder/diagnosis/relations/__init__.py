"""What holds between a student's results and the right ones, for any exercise and without a bank.

A relation is a fact, not a guess: it holds in every wrong result of every failing test, numbers
that no accident gives are among them, and no right result contradicts it. If a call of a failing
test raised an error, no relation between numbers explains that test, and none is named; only those
by which results are right for some sizes, lengths or numbers alone count an error as one way of not
being right: they ask for `Evidence.failures`.
Results of more than 2**18 entries are not looked at.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from autograder.diagnosis.relations import arrangement, dependence, places, scale
from autograder.diagnosis.relations.evidence import Evidence
from autograder.diagnosis.relations.gathering import Observed, evidence_in
from autograder.report import Misconception

# Yields the words for a relation wherever it holds: fact, contrast, question.
Relation: TypeAlias = Callable[[Evidence], Iterator[str]]

# In this order: of two that hold, the first says more, or is simpler.
RELATIONS: tuple[tuple[str, Relation], ...] = (
    ("relation-dtype", scale.wrong_type),
    ("relation-half-precision", scale.half_precision),
    ("relation-rounded", scale.rounded),
    ("relation-permuted", arrangement.results_exchanged),
    ("relation-returns-input", dependence.returns_input),
    ("relation-constant", dependence.uniform),
    ("relation-constant", dependence.constant),
    ("relation-sign", scale.sign),
    ("relation-factor", scale.factor),
    ("relation-transposed", arrangement.transposed),
    ("relation-batch-mixed", arrangement.batch_mixed),
    ("relation-shifted", arrangement.shifted),
    ("relation-axes-exchanged", arrangement.axes_exchanged),
    ("relation-permuted", arrangement.permuted),
    ("relation-other-axis", scale.other_axis),
    ("relation-not-repeatable", dependence.not_repeatable),
    ("relation-ignores-argument", dependence.ignores_argument),
    ("relation-constant", dependence.alike_over_batch),
    ("relation-earlier-call", dependence.earlier_call),
    ("relation-averaged", arrangement.averaged),
    ("relation-running-total", arrangement.running_total),
    ("relation-one-for-all", arrangement.one_for_all),
    ("relation-mode", dependence.right_in_one_mode),
    ("relation-mode", dependence.alike_in_both_modes),
    ("relation-clamped", scale.clamped),
    ("relation-partly-right", places.wrong_where_masked),
    ("relation-partly-right", places.partly_right),
    ("relation-partly-right", places.wrong_beyond),
    ("relation-partly-right", places.one_missing_or_too_many),
    ("relation-factor", scale.row_factor),
    ("relation-added", scale.added),
    ("relation-equal-sizes", places.equal_sizes),
    ("relation-small-numbers", places.small_numbers),
    ("relation-some-lengths", places.some_lengths),
    ("relation-partly-right", places.up_to_a_length),
    ("relation-some-lengths", places.axes_of_length_one),
)


def relation_in(
    tests: Sequence[Sequence[Observed]], passed: Sequence[bool]
) -> Misconception | None:
    """Return the first relation that explains every failing test; None if none does.

    `tests` has the calls of every hidden test that made any, in order; `passed`, which passed.
    """
    for evidence in evidence_in(tests, passed):
        for tag, relation in RELATIONS:
            if message := next(relation(evidence), ""):
                return Misconception(tag=tag, message=message)
    return None
