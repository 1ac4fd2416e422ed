"""Small exercises with right answers in NumPy, and the calls that hidden tests make of them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

Numbers: TypeAlias = npt.NDArray[Any]
Answer: TypeAlias = Callable[..., Any]
Arguments: TypeAlias = tuple[Sequence[Any], Mapping[str, Any]]
Random = np.random.Generator
T = TypeVar("T")

SIZES = (4, 5, 6, 7, 8, 9)


@dataclass(frozen=True)
class SmallExercise:
    """A right answer, and the calls of each hidden test."""

    right: Answer
    tests: Sequence[Sequence[Arguments]]


def one_of(random: Random, choices: Sequence[T]) -> T:
    """Draw one of several."""
    return choices[int(random.integers(len(choices)))]


def any_exercise(
    random: Random,
    ndim: int | None = None,
    *,
    same_shape: bool = False,
    even: bool = False,
    repeated: bool = False,
) -> SmallExercise:
    """Draw an exercise of one argument, with three tests of a call or two each.

    `ndim`: the axes of its arguments, else two or three. `same_shape`: the result has that of the
    argument. `even`: so is the length of the last axis. `repeated`: in each test, all calls have
    arguments of one shape, and the first is made again at the end.
    """
    ndim = ndim or int(random.integers(2, 4))
    width = 6 if even else one_of(random, (4, 5, 6, 7))
    out = width if even or same_shape else one_of(random, (3, 8, 6))
    weights = random.normal(size=(width, out))
    right = one_of(
        random,
        (
            lambda x: np.tanh(x @ weights),
            lambda x: x @ weights + 0.5,
            lambda x: _softmax(x @ weights),
        ),
    )
    return SmallExercise(right, [_test(random, ndim, width, repeated) for _ in range(3)])


def _test(random: Random, ndim: int, width: int, repeated: bool) -> list[Arguments]:
    calls = [_drawn(random, ndim, width) for _ in range(int(random.integers(1, 3)))]
    if repeated:
        others = [random.normal(size=calls[0].shape) for _ in range(2)]
        calls = [calls[0], *others, calls[0]]
    return [((x,), {}) for x in calls]


def softmax(random: Random, *, large: bool = False) -> SmallExercise:
    """Softmax over the last axis; `large`: two tests of ordinary scores, one of large ones."""
    ndims = [int(random.integers(2, 4)) for _ in range(3)]
    scores = [_drawn(random, ndim, one_of(random, SIZES)) for ndim in ndims]
    if large:
        scores[-1] = scores[-1] + 1000
    return SmallExercise(_softmax, [[((x,), {})] for x in scores])


def normalised(random: Random) -> SmallExercise:
    """Mean 0 and variance 1 along the last axis."""
    inputs = [_drawn(random, int(random.integers(2, 4)), one_of(random, SIZES)) for _ in range(3)]
    return SmallExercise(_normalised, [[((x,), {})] for x in inputs])


def attention(
    random: Random, *, one_thing_changes: bool = False, equal_sometimes: bool = False
) -> SmallExercise:
    """Attention of n_q queries to n_k keys, with an optional mask.

    `one_thing_changes`: each test calls with and without a mask, and with other keys.
    `equal_sometimes`: in two of four tests n_q is n_k.
    """
    tests: list[list[Arguments]] = []
    for place in range(4):
        n_q, n_k, d_k, d_v = random.permutation(SIZES)[:4]
        if equal_sometimes and place % 2:
            n_q = n_k
        Q, K, V = (random.normal(size=size) for size in ((n_q, d_k), (n_k, d_k), (n_k, d_v)))
        calls: list[Arguments] = [((Q, K, V), {})]
        if one_thing_changes:
            mask = np.arange(n_k) != random.integers(n_k, size=(n_q, 1))
            calls = [((Q, K, V), {"mask": mask}), ((Q, K[::-1], V), {"mask": mask})]
            calls += [((Q, K, V), {})] * (place == 0)
        tests.append(calls)
    return SmallExercise(_attention, tests)


def _drawn(random: Random, ndim: int, width: int) -> Numbers:
    """Draw an array whose axes differ in length."""
    others = random.permutation([size for size in SIZES if size != width])[: ndim - 1]
    return random.normal(size=(*others, width))


def _softmax(x: Numbers) -> Numbers:
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))


def _normalised(x: Numbers) -> Numbers:
    centred = x - x.mean(axis=-1, keepdims=True)
    return np.asarray(centred / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5))


def _attention(Q: Numbers, K: Numbers, V: Numbers, mask: Numbers | None = None) -> Numbers:
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    return np.asarray(_softmax(scores if mask is None else np.where(mask, scores, -1e9)) @ V)
