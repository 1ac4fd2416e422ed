"""What a student could know of a course's hidden inputs from a seed that is no longer a secret."""

import hashlib
from functools import cache
from typing import Any

import numpy as np

from tests.answering import examined
from tests.courses import KIT, solved


@cache
def inputs_seen(assignment: str, exercise: str, seed: int) -> tuple[str, ...]:
    """Return a digest of each array that the hidden tests of `exercise` pass under `seed`."""
    findings = examined(assignment, exercise, solved(KIT, assignment)[exercise], seed=seed)
    requests = [exchange.request for found in findings for exchange in found.exchanges]
    return tuple(sorted({_digest(value) for asked in requests for value in asked["args"]}))


def _digest(value: Any) -> str:
    array = np.asarray(value)
    return hashlib.blake2s(repr(array.shape).encode() + array.tobytes()).hexdigest()[:16]
