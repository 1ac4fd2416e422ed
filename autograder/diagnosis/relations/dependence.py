"""What a result doesn't depend on: it is an input, or constant, or blind to an argument.

The latter two are seen in pairs of calls, and need no right number: with weights that were drawn
and never set, two results of one module can still be compared with each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from autograder.diagnosis.relations.evidence import Evidence, ResultCase
from autograder.diagnosis.relations.pairs import (
    CallPair,
    all_arguments_differ,
    changes_much,
    has,
    key_of,
    may_be_wrong,
    pairs_of_equal,
    proves,
)
from autograder.diagnosis.relations.values import EXACT, clearly_differ, matches


def returns_input(evidence: Evidence) -> Iterator[str]:
    """Find results that are what was passed in."""
    for name in evidence.differing[0].call.arguments if evidence.differing else ():
        if evidence.holds(partial(_is_argument, name)):
            yield (
                f"{evidence.subject} is {name}, unchanged: in one of our calls, of shape "
                f"{evidence.differing[0].out.shape}, every number is the one that we passed in. "
                "What is computed from it, and does that reach your `return`?"
            )


def constant(evidence: Evidence) -> Iterator[str]:
    """Find results of one number only, or the same for whatever is passed in."""
    if evidence.holds(lambda case: case.out.size > 1 and _is_uniform(case)):
        yield (
            f"{evidence.subject} has the same number in every entry: in one of our calls all of "
            f"shape {evidence.differing[0].out.shape} are alike, where they should differ. Which "
            "line was to fill in what you have computed, or what makes everything equal?"
        )
    if not evidence.differing or any(case.is_telling for case in evidence.agreeing):
        return
    alike = pairs_of_equal(evidence, lambda case: (case.piece, case.out.shape))
    pairs = [pair for pair in alike if pair.should_differ]
    if not all(pair.is_same and all_arguments_differ(pair) for pair in pairs):
        return
    shapes = {(pair.first.piece, pair.first.out.shape) for pair in pairs}
    is_explained = all(
        case.got is not None and (case.piece, case.out.shape) in shapes
        for case in evidence.differing
    )
    if is_explained and proves(evidence, pairs):
        yield (
            f"{evidence.subject} is the same whatever is passed in: in two of our calls every "
            "argument differs, but all entries of both results, of shape "
            f"{pairs[0].first.out.shape}, agree. From which variables is your result made, and "
            "where do the arguments come in?"
        )


def alike_over_batch(evidence: Evidence) -> Iterator[str]:
    """Find results in which all entries of the batch are the same."""
    if evidence.holds(_is_alike_over_batch):
        yield (
            f"{evidence.subject} is the same for every entry of the batch: in one of our calls all "
            f"{len(evidence.differing[0].out)} entries agree, where each should have a result of "
            "its own. Where do the entries meet, or does one stand for all of them, or none?"
        )


def ignores_argument(evidence: Evidence) -> Iterator[str]:
    """Find an argument that changes right results, but not the student's.

    A right result for which it was given tells that it is used: something else is kept.
    """
    wrong = may_be_wrong(evidence)
    for name in dict.fromkeys(name for case in evidence.returned for name in case.call.given):
        right = [c for c in evidence.agreeing if c.is_telling and name in c.call.arguments]
        if any(has(case, name) for case in right):
            continue
        if not all(has(case, name) for case in wrong if case.call.is_comparable):
            continue
        pairs = [pair for pair in _pairs_differing_in(name, evidence) if pair.should_differ]
        proofs = [pair for pair in pairs if changes_much(pair, name)]
        if not proves(evidence, proofs) or not all(pair.is_same for pair in pairs):
            continue
        if evidence.explaining(tuple(c for c in wrong if has(c, name))) and not evidence.raised:
            yield (
                f"{evidence.subject} doesn't depend on {name}: in two of our calls nothing else "
                f"differs, and your results, of shape {proofs[0].first.out.shape}, agree in every "
                "entry, where they should differ. Is it used at all, and does what you make of it "
                "reach the result?"
            )


def _pairs_differing_in(name: str, evidence: Evidence) -> Iterator[CallPair]:
    for pair in pairs_of_equal(evidence, lambda c: (c.call.is_train, key_of(c, without=name))):
        if key_of(pair.first) != key_of(pair.second):
            yield pair


def _is_argument(name: str, case: ResultCase) -> bool | None:
    given = case.call.given.get(name)
    if given is None or given.value is None:
        return None
    return given.value.raw.dtype.kind != "b" and matches(case.out, given.value.numbers)


def _is_uniform(case: ResultCase) -> bool:
    return bool(np.isfinite(case.out).all()) and float(np.ptp(case.out)) <= EXACT * float(
        np.abs(case.out).max()
    )


def _is_alike_over_batch(case: ResultCase) -> bool | None:
    right, out = case.wanted, case.out
    if right.ndim < 3 or len(right) < 2:
        return None
    if out.shape != right.shape or not np.ptp(out) or not np.isfinite(out).all():
        return False
    is_alike = matches(out, np.broadcast_to(out[:1], out.shape))
    return is_alike and (clearly_differ(right[0], right[-1]) or matches(out, right))
