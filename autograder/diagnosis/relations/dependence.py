"""What a result doesn't depend on: it is an input, or constant, or blind to an argument.

The latter two are seen in pairs of calls, and need no right number: with weights that were drawn
and never set, two results of one module can still be compared with each other.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.diagnosis.relations.evidence import Case, Evidence
from autograder.diagnosis.relations.pairs import (
    Pair,
    all_arguments_differ,
    changes_much,
    has,
    may_be_wrong,
    names,
    pairs_differing_in,
    pairs_of_one_shape,
    proves,
)
from autograder.diagnosis.relations.results import EXACT, clearly_differ, matches


def returns_input(evidence: Evidence) -> str | None:
    """Find results that are what was passed in."""
    if not evidence.differing:
        return None
    for name in evidence.differing[0].call.arguments:
        if evidence.holds(_is_argument(name)):
            shape = evidence.differing[0].out.shape
            return (
                f"{evidence.subject} is {name}, unchanged: in one of our calls, of shape {shape}, "
                "every number is the one that we passed in. What is computed from it, and does "
                "that reach your `return`?"
            )
    return None


def constant(evidence: Evidence) -> str | None:
    """Find results of one number only, or the same for whatever is passed in."""
    if evidence.holds(lambda case: case.out.size > 1 and _is_uniform(case)):
        shape = evidence.differing[0].out.shape
        return (
            f"{evidence.subject} has the same number in every entry: in one of our calls all of "
            f"shape {shape} are alike, where they should differ. Which line was to fill in what "
            "you have computed, or what makes everything equal?"
        )
    if any(case.is_telling for case in evidence.agreeing):
        return None
    pairs = [pair for pair in pairs_of_one_shape(evidence) if pair.should_differ]
    proofs = [pair for pair in pairs if pair.is_same and all_arguments_differ(pair)]
    if len(proofs) == len(pairs) and proves(evidence, proofs) and _explained(evidence, proofs):
        return (
            f"{evidence.subject} is the same whatever is passed in: in two of our calls every "
            "argument differs, but all entries of both results, of shape "
            f"{proofs[0].first.out.shape}, agree. From which variables is your result made, and "
            "where do the arguments come in?"
        )
    return None


def alike_over_batch(evidence: Evidence) -> str | None:
    """Find results in which all entries of the batch are the same."""
    if not evidence.holds(_is_alike_over_batch):
        return None
    return (
        f"{evidence.subject} is the same for every entry of the batch: in one of our calls all "
        f"{len(evidence.differing[0].out)} entries agree, where each should have a result of its "
        "own. Where do the entries meet, or does one stand for all of them, or none?"
    )


def ignores_argument(evidence: Evidence) -> str | None:
    """Find an argument that changes right results, but not the student's.

    A right result for which it was given tells that it is used: something else is kept.
    """
    for name in names(evidence):
        if any(_uses(case, name) for case in evidence.agreeing):
            continue
        wrong = [case for case in evidence.returned if may_be_wrong(case)]
        if not all(has(case, name) for case in wrong if case.call.is_comparable):
            continue
        pairs = [pair for pair in pairs_differing_in(evidence, name) if pair.should_differ]
        proofs = [pair for pair in pairs if changes_much(pair, name)]
        if not proves(evidence, proofs) or not all(pair.is_same for pair in pairs):
            continue
        if evidence.explaining(tuple(c for c in wrong if has(c, name))) and not evidence.raised:
            shape = proofs[0].first.out.shape
            return (
                f"{evidence.subject} doesn't depend on {name}: in two of our calls nothing else "
                f"differs, and your results, of shape {shape}, agree in every entry, where they "
                "should differ. Is it used at all, and does what you make of it reach the result?"
            )
    return None


def _uses(case: Case, name: str) -> bool:
    return case.is_telling and name in case.call.arguments and has(case, name)


def _is_argument(name: str) -> Callable[[Case], bool | None]:
    def relation(case: Case) -> bool | None:
        given = case.call.given.get(name)
        if given is None or given.result is None:
            return None
        is_numeric = given.result.raw.dtype.kind != "b"
        return is_numeric and matches(case.out, given.result.numbers)

    return relation


def _is_uniform(case: Case) -> bool:
    return bool(np.isfinite(case.out).all()) and float(np.ptp(case.out)) <= EXACT * float(
        np.abs(case.out).max()
    )


def _explained(evidence: Evidence, proofs: list[Pair]) -> bool:
    """Tell whether each wrong result is like two that agree, though they should differ."""
    shapes = {(proof.first.piece, proof.first.out.shape) for proof in proofs}
    return bool(evidence.differing) and all(
        case.got is not None and (case.piece, case.out.shape) in shapes
        for case in evidence.differing
    )


def _is_alike_over_batch(case: Case) -> bool | None:
    right, out = case.wanted, case.out
    if right.ndim < 3 or len(right) < 2:
        return None
    if out.shape != right.shape or not np.ptp(out) or not np.isfinite(out).all():
        return False
    is_alike = matches(out, np.broadcast_to(out[:1], out.shape))
    return is_alike and (clearly_differ(right[0], right[-1]) or matches(out, right))
