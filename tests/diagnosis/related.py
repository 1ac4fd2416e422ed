"""Answers that stand in a known relation to a right one, made at random; and answers in none."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.diagnosis.agreement import equal
from autograder.diagnosis.relations import relation_in
from autograder.diagnosis.relations.gathering import Observed
from autograder.report import Misconception
from autograder.testing.student import Exchange
from tests.diagnosis.exercises import (
    Answer,
    Arguments,
    Numbers,
    SmallExercise,
    any_exercise,
    attention,
    normalised,
    one_of,
    softmax,
)

Random = np.random.Generator


@dataclass(frozen=True)
class Related:
    """A wrong answer to an exercise, and what may truly be said of it."""

    exercise: SmallExercise
    wrong: Answer
    true: frozenset[str]

    def found(self) -> Misconception | None:
        """Return what is found when the exercise's tests are put to the wrong answer."""
        tests = [observed(test, self.exercise.right, self.wrong) for test in self.exercise.tests]
        return relation_in(tests, [all(map(agrees, test)) for test in tests])


def observed(test: Iterable[Arguments], right: Answer, wrong: Answer) -> list[Observed]:
    """Return the calls of one hidden test, put to both answers."""
    calls = []
    for args, kwargs in test:
        request = {"op": "call", "name": "f", "args": list(args), "kwargs": dict(kwargs)}
        calls.append(
            Observed(
                Exchange("f", request, {"value": wrong(*args, **kwargs), "changed": False}),
                {"value": right(*args, **kwargs), "changed": False},
            )
        )
    return calls


def agrees(call: Observed) -> bool:
    """Tell whether a hidden test that looks at dtypes, too, would take the reply for right."""
    got, right = call.exchange.reply["value"], call.right["value"]
    return equal(got, right) and got.dtype == right.dtype


def unrelated(random: Random) -> Related:
    """Return an answer that has no relation to the right one."""
    exercise = any_exercise(random)
    wrong = one_of(random, UNRELATED)
    return _related(exercise, lambda *a, **k: wrong(exercise.right(*a, **k), a))


def _related(exercise: SmallExercise, wrong: Answer, *tags: str) -> Related:
    return Related(exercise, wrong, frozenset(f"relation-{tag}" for tag in tags))


def _after(change: Callable[[Numbers], Any], exercise: SmallExercise, *tags: str) -> Related:
    """Return the right answer, followed by a change of its result."""
    return _related(exercise, lambda *a, **k: change(exercise.right(*a, **k)), *tags)


def _returns_input(random: Random) -> Related:
    exercise = any_exercise(random, same_shape=True)
    return _related(exercise, lambda x, *_, **__: x.copy(), "returns-input")


def _constant(random: Random) -> Related:
    exercise = any_exercise(random, repeated=True)
    if random.integers(2):
        return _after(np.zeros_like, exercise, "constant")
    return _after(lambda right: np.resize([0.3, 1.7, -2.1], right.shape), exercise, "constant")


def _factor(random: Random) -> Related:
    exercise = any_exercise(random)
    number = float(random.choice([2.0, 0.5, 3.7, 0.25]))
    if random.integers(2):
        return _after(lambda right: right * number, exercise, "factor")

    def scaled(*args: Numbers, **kwargs: Numbers) -> Numbers:
        return np.asarray(exercise.right(*args, **kwargs) / np.sqrt(args[0].shape[-1]))

    return _related(exercise, scaled, "factor")


def _axes_exchanged(random: Random) -> Related:
    exercise = any_exercise(random, ndim=3)
    change = one_of(
        random,
        (
            lambda right: right.swapaxes(0, 1),
            lambda right: right.swapaxes(0, 2),
            lambda right: right.swapaxes(1, 2).reshape(right.shape),
        ),
    )
    return _after(change, exercise, "axes-exchanged", "transposed")  # .T exchanges three axes, too


def _shifted(random: Random) -> Related:
    step = int(random.choice([-1, 1]))

    def shift(right: Numbers) -> Numbers:
        moved = np.roll(right, step, axis=-2)
        moved[..., 0 if step > 0 else -1, :] = 0.5
        return moved

    return _after(shift, any_exercise(random), "shifted")


def _other_axis(random: Random) -> Related:
    exercise = one_of(random, (softmax, normalised))(random)
    axis = -2

    def wrong(x: Numbers) -> Numbers:
        return np.asarray(exercise.right(x.swapaxes(axis, -1)).swapaxes(axis, -1))

    return _related(exercise, wrong, "other-axis")


def _partly_right(random: Random) -> Related:
    choices: Sequence[Any] = (0, -1, slice(1, None), slice(0, None, 2), slice(2, None))
    places = one_of(random, choices)

    def spoil(right: Numbers) -> Numbers:
        spoilt = right.copy()
        spoilt[..., places, :] = np.cos(7 * spoilt[..., places, :])
        return spoilt

    lacks = one_of(random, (lambda right: right[..., 1:, :], lambda right: right[..., :-1, :]))
    change = one_of(random, (spoil, spoil, lacks))
    return _after(change, any_exercise(random, same_shape=True), "partly-right")


def _batch_mixed(random: Random) -> Related:
    heads = 2

    def split_wrongly(right: Numbers) -> Numbers:
        batch, length, width = right.shape
        by_head = right.reshape(batch, length, heads, width // heads).swapaxes(1, 2)
        return by_head.reshape(right.shape)

    change = one_of(
        random,
        (
            lambda right: np.roll(right, 1, axis=0),
            lambda right: np.broadcast_to(right.mean(axis=0), right.shape).copy(),
            split_wrongly,
        ),
    )
    return _after(change, any_exercise(random, ndim=3, even=True), "batch-mixed", "constant")


def _permuted(random: Random) -> Related:
    seed = int(random.integers(1000))

    def permute(right: Numbers) -> Numbers:
        order = np.random.default_rng(seed).permutation(right.shape[-2])
        if (order == np.arange(len(order))).all():
            order = order[::-1]
        return right[..., order, :]

    # a permutation of three or four may be a shift, too
    return _after(permute, any_exercise(random), "permuted", "shifted")


def _dtype(random: Random) -> Related:
    change = one_of(random, (lambda right: right.tolist(), lambda right: right.astype(np.float32)))
    return _after(change, any_exercise(random), "dtype")


def _not_repeatable(random: Random) -> Related:
    exercise = any_exercise(random)
    twice = SmallExercise(
        exercise.right, [[call, call] for test in exercise.tests for call in test]
    )
    noise = np.random.default_rng(int(random.integers(1000)))
    return _after(lambda right: right + noise.normal(size=right.shape), twice, "not-repeatable")


def _earlier_call(random: Random) -> Related:
    """Return the first result of a test once more, or the sum of all so far."""
    exercise = any_exercise(random, repeated=True)
    kept: dict[str, Any] = {}
    firsts = [test[0][0][0] for test in exercise.tests]
    is_sum = bool(random.integers(2))

    def wrong(*args: Numbers, **kwargs: Numbers) -> Numbers:
        right = exercise.right(*args, **kwargs)
        if any(args[0] is first for first in firsts) and kept.get("of") is not args[0]:
            kept.update(of=args[0], value=right)
            return np.asarray(right)
        kept["of"] = None
        return np.asarray(right + kept["value"] if is_sum else kept["value"])

    return _related(exercise, wrong, "earlier-call")


def _ignores_argument(random: Random) -> Related:
    exercise = attention(random, one_thing_changes=True)
    wrong = one_of(
        random,
        (
            lambda Q, K, V, mask=None: exercise.right(Q, K, V),
            lambda Q, K, V, mask=None: exercise.right(Q, np.ones_like(K), V, mask=mask),
        ),
    )
    return _related(exercise, wrong, "ignores-argument")


def _equal_sizes(random: Random) -> Related:
    exercise = attention(random, equal_sometimes=True)

    def wrong(Q: Numbers, K: Numbers, V: Numbers, mask: Numbers | None = None) -> Numbers:
        right = exercise.right(Q, K, V, mask=mask)
        return np.asarray(right if len(Q) == len(K) else right**2 + 0.1)

    return _related(exercise, wrong, "equal-sizes")


def _small_numbers(random: Random) -> Related:
    exercise = softmax(random, large=True)

    def wrong(x: Numbers) -> Numbers:
        with np.errstate(all="ignore"):
            powers = np.exp(x)
            return np.asarray(powers / powers.sum(axis=-1, keepdims=True))

    return _related(exercise, wrong, "small-numbers")


def _averaged(random: Random) -> Related:
    axis, is_filled = int(random.choice([-1, -2])), bool(random.integers(2))
    reduce: Any = one_of(random, (np.mean, np.sum))

    def change(right: Numbers) -> Numbers:
        whole = reduce(right, axis=axis, keepdims=True)
        return np.broadcast_to(whole, right.shape).copy() if is_filled else whole.squeeze(axis)

    return _after(change, attention(random), "averaged")


def _running_total(random: Random) -> Related:
    axis = int(random.choice([-1, -2]))

    def change(right: Numbers) -> Numbers:
        return np.cumsum(right, axis=axis)

    return _after(change, any_exercise(random), "running-total")


def _one_for_all(random: Random) -> Related:
    place = int(random.choice([0, -1]))
    return _after(
        lambda right: np.broadcast_to(right[..., [place], :], right.shape).copy(),
        any_exercise(random, ndim=3),
        "one-for-all",
    )


def _added(random: Random) -> Related:
    change = one_of(
        random,
        (
            lambda right: right + 0.3,
            lambda right: right + right.max(axis=-1, keepdims=True),
            lambda right: right + np.linspace(1, 2, right.shape[-1]),
        ),
    )
    return _after(change, any_exercise(random), "added")


def _rounded(random: Random) -> Related:
    digits, keep = int(random.integers(2, 4)), one_of(random, (np.rint, np.trunc))
    return _after(lambda x: keep(x * 10**digits) / 10**digits, any_exercise(random), "rounded")


def _clamped(random: Random) -> Related:
    least, most = one_of(random, ((-np.inf, 0.2), (0.1, np.inf), (0.05, 0.2)))
    return _after(lambda right: right.clip(least, most), any_exercise(random, ndim=3), "clamped")


def _some_lengths(random: Random) -> Related:
    exercise = any_exercise(random, ndim=2)
    parity, (args, _) = int(random.integers(2)), exercise.tests[0][0]
    inputs = [random.normal(size=(n, args[0].shape[-1])) for n in (4, 5, 6, 7, 8, 9, 10)]

    def wrong(x: Numbers) -> Numbers:
        right = exercise.right(x)
        return np.asarray(right if len(x) % 2 == parity else np.cos(3 * right) + x.sum())

    numbered = SmallExercise(exercise.right, [[((x,), {})] for x in inputs])
    return _related(numbered, wrong, "some-lengths")


MAKERS: Mapping[str, Callable[[Random], Related]] = {
    "returns-input": _returns_input,
    "constant": _constant,
    "sign": lambda random: _after(lambda right: -right, any_exercise(random), "sign"),
    "factor": _factor,
    "transposed": lambda random: _after(
        lambda right: right.swapaxes(-1, -2), any_exercise(random), "transposed"
    ),
    "axes-exchanged": _axes_exchanged,
    "shifted": _shifted,
    "other-axis": _other_axis,
    "partly-right": _partly_right,
    "batch-mixed": _batch_mixed,
    "permuted": _permuted,
    "dtype": _dtype,
    "half-precision": lambda random: _after(
        lambda right: right.astype(np.float16).astype(np.float64),
        any_exercise(random),
        "half-precision",
    ),
    "not-repeatable": _not_repeatable,
    "earlier-call": _earlier_call,
    "ignores-argument": _ignores_argument,
    "averaged": _averaged,
    "running-total": _running_total,
    "one-for-all": _one_for_all,
    "added": _added,
    "rounded": _rounded,
    "clamped": _clamped,
    "some-lengths": _some_lengths,
    "equal-sizes": _equal_sizes,
    "small-numbers": _small_numbers,
}

# Of the right result and the arguments: what is wrong, and nothing that has a name here.
UNRELATED: Sequence[Callable[[Numbers, Sequence[Any]], Numbers]] = (
    lambda right, _: right**2 + 0.1,
    lambda right, _: np.cos(3 * right),
    lambda right, _: right + 0.3 * np.sin(5 * right),
    lambda right, args: 0.9 * right + 0.1 * np.sin(args[0]).sum(),
    lambda right, _: np.abs(right - 0.21),
    lambda right, _: right - right.mean(axis=-1, keepdims=True) * np.cos(right) + 0.01,
    lambda right, _: right * np.linspace(1.1, 2, right.shape[-1]),
    lambda right, _: np.random.default_rng(int(1e6 * (right**2).sum())).normal(size=right.shape),
    lambda right, _: right.round(1) + 0.01 * right,
    lambda right, _: np.cumsum(right, axis=-2) + 0.01,
)


@dataclass
class Tally:
    """How often a relation was found where it was made, and how often where it wasn't."""

    tag: str
    found: int = 0
    falsely: int = 0


def tallies(cases: int) -> list[Tally]:
    """Return what is found in `cases` answers of each relation, and in as many of none."""
    of = {tag: Tally(tag) for tag in (*MAKERS, "none")}
    for seed in range(cases):
        for tag in of:
            random = np.random.default_rng([seed, *tag.encode()])
            answer = unrelated(random) if tag == "none" else MAKERS[tag](random)
            given = answer.found()
            is_true = given.tag in answer.true if given else not answer.true
            of[tag].found += is_true
            if given and not is_true:
                of[given.tag.removeprefix("relation-")].falsely += 1
    return list(of.values())
