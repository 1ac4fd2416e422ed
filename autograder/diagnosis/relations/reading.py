"""Axes that change places before the numbers are read into the right shape like a book."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations

import numpy as np

from autograder.diagnosis.relations.evidence import Case
from autograder.diagnosis.relations.results import Numbers, matches

MAX_AXES = 5  # with an axis of heads


def readings(batch: bool) -> Iterator[Callable[[Case], bool | None]]:
    """Yield relations: axes changed places, then the numbers were read into the right shape.

    `batch`: the first axis, or heads that the last one is split into, takes part.
    """
    if batch:
        yield _is_split_otherwise
    for ndim in (2, 3, 4):
        for order in permutations(range(ndim)):
            moves_batch = ndim > 2 and order[0] != 0
            if order != tuple(range(ndim)) and moves_batch is batch:
                yield _is_read_on(order)


def _is_read_on(order: tuple[int, ...]) -> Callable[[Case], bool | None]:
    def relation(case: Case) -> bool | None:
        right = case.wanted
        if right.ndim != len(order):
            return None
        return case.out.shape == right.shape and any(
            matches(case.out, each) for each in _read(right, order, right.shape)
        )

    return relation


def _read(right: Numbers, order: tuple[int, ...], shape: tuple[int, ...]) -> Iterator[Numbers]:
    """Yield `right` with its axes in another order, read into `shape`; and the way back."""
    yield right.transpose(order).reshape(shape)
    mixed = right.reshape([right.shape[axis] for axis in order])
    yield mixed.transpose(np.argsort(order)).reshape(shape)


def _is_split_otherwise(case: Case) -> bool | None:
    """Tell whether tokens and heads, or heads and their columns, have changed places."""
    right = case.wanted
    if not 2 <= right.ndim < MAX_AXES:
        return None
    if case.out.shape != right.shape:
        return False
    *before, last = range(right.ndim + 1)
    tokens = right.ndim - 2
    orders = [(*before[:tokens], tokens + 1, tokens, last), (*before[:-1], last, before[-1])]
    return any(
        matches(case.out, each)
        for heads in range(2, right.shape[-1])
        if right.shape[-1] % heads == 0
        for order in orders
        for each in _read(right.reshape(*right.shape[:-1], heads, -1), order, right.shape)
    )
