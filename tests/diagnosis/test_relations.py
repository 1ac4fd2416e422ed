"""A relation that was made is found; where none was made, none is."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.diagnosis.relations import RELATIONS, relation_in
from autograder.diagnosis.relations.gathering import Observed, by_name, parameters_in
from autograder.report import Misconception
from autograder.sandbox import wire
from autograder.testing.failures import StudentRaised
from autograder.testing.student import Exchange
from tests.diagnosis.exercises import Answer, Arguments, Numbers, attention
from tests.diagnosis.related import MAKERS, observed, tallies, unrelated

SEEDS = st.integers(0, 2**32 - 1)
X = np.random.default_rng(0).normal(size=(4, 5))
Y = np.random.default_rng(1).normal(size=(6, 3))


DTYPES = (np.float64, np.float16, np.int64, np.uint8, np.bool_, np.complex128)
SHAPES = st.sampled_from([(), (0,), (1,), (3, 0), (4, 1), (2, 3), (3, 4, 2), (1, 2, 2, 3, 1)])
ARRAYS = st.builds(
    lambda shape, dtype, seed: np.asarray(
        9 * np.random.default_rng(seed).normal(size=shape)
    ).astype(dtype),
    SHAPES,
    st.sampled_from(DTYPES),
    st.integers(0, 3),
)
SCALARS = st.sampled_from([None, 0, 2, -1.5, np.nan, np.inf, True, "x", np.float32(0.5)])
VALUES = st.recursive(
    ARRAYS | SCALARS | st.just(wire.Opaque("Thing")) | st.just(wire.Handle("key", "Module")),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.sampled_from("ab"), inner)
    ),
    max_leaves=4,
)


def relation(right: Answer, wrong: Answer, *inputs: Any, passed: int = 0) -> Misconception | None:
    """Return the relation of two answers, in a test for each input; the first few `passed`."""
    tests = [observed([((x,), {})], right, wrong) for x in inputs]
    return relation_in(tests, [place < passed for place in range(len(tests))])


def found(right: Answer, wrong: Answer, *inputs: Any, passed: int = 0) -> str:
    told = relation(right, wrong, *inputs, passed=passed)
    return told.tag if told else ""


def message(right: Answer, wrong: Answer, *inputs: Any, passed: int = 0) -> str:
    told = relation(right, wrong, *inputs, passed=passed)
    assert told is not None
    return told.message


@pytest.mark.parametrize("tag", MAKERS)
@settings(max_examples=8, derandomize=True)
@given(seed=SEEDS)
def test_a_relation_that_was_made_is_found_and_told_shortly_without_any_number_but_sizes(
    tag: str, seed: int
) -> None:
    answer = MAKERS[tag](np.random.default_rng(seed))
    told = answer.found()
    assert told is not None
    assert told.tag in answer.true
    assert 80 <= len(told.message) <= 400
    assert told.message.endswith("?")
    assert tag == "factor" or not re.search(r"\d\.\d", told.message)


@settings(max_examples=40)
@given(seed=SEEDS)
def test_where_no_relation_was_made_none_is_found(seed: int) -> None:
    assert unrelated(np.random.default_rng(seed)).found() is None


@pytest.mark.exhaustive
def test_of_500_cases_a_relation_nearly_all_are_found_and_none_falsely() -> None:
    for tally in tallies(500):
        assert tally.found >= 475, tally
        assert tally.falsely == 0, tally


@pytest.mark.parametrize("tag", sorted({tag for tag, _ in RELATIONS}))
def test_every_relation_is_made_somewhere(tag: str) -> None:
    is_made = tag.removeprefix("relation-") in {*MAKERS, "mode"}
    assert is_made, f"add a maker of {tag} to tests/diagnosis/related.py"


def test_an_axis_far_from_the_end_is_not_told_as_if_counted_from_the_beginning() -> None:
    x = np.random.default_rng(2).normal(size=(7, 2, 3, 2, 2))
    told = message(np.sin, lambda x: np.sin(x) / len(x), x, x[:5])
    assert "1/n, where n is the length of the fifth-to-last axis of the first argument" in told


@settings(max_examples=40)
@given(st.lists(st.tuples(VALUES, VALUES, VALUES), min_size=1, max_size=4), st.integers(1, 3))
def test_whatever_is_passed_in_and_comes_back_nothing_is_raised(
    calls: list[tuple[Any, Any, Any]], tests: int
) -> None:
    played = [
        Observed(
            Exchange("f", {"op": "call", "name": "f", "args": [x], "kwargs": {}}, {"value": got}),
            {"value": right},
        )
        for x, got, right in calls
    ]
    relation_in([played] * tests, [False] * tests)


class TestWhatIsEvidence:
    def test_a_relation_that_fits_the_right_answer_as_well_is_none(self) -> None:
        symmetric = X @ X.T
        assert found(lambda x: x, lambda x: x.T, symmetric, X, passed=1) == "relation-transposed"
        assert found(lambda x: x, lambda x: x + 0.3 if x.size == 20 else x, X, symmetric) == ""

    def test_numbers_that_many_mistakes_give_are_none(self) -> None:
        assert found(lambda x: x, lambda x: -x, np.eye(3)) == ""
        assert found(lambda x: x, lambda x: x.T, np.triu(np.ones((2, 2)))) == ""

    def test_a_call_for_which_the_right_answer_used_random_numbers_is_none(self) -> None:
        (call,) = observed([((X,), {})], lambda x: x, lambda x: -x)
        random = Observed(call.exchange, call.right, is_random=True)
        assert relation_in([[call]], [False])
        assert relation_in([[random]], [False]) is None

    def test_one_call_alone_is_none_for_the_place_of_a_mistake(self) -> None:
        def wrong(x: Numbers) -> Numbers:
            return np.vstack([x[:-1], np.cos(x[-1:])])

        assert found(lambda x: x, wrong, X, Y) == "relation-partly-right"
        assert found(lambda x: x, wrong, X) == ""

    def test_one_length_alone_is_none_for_a_half(self) -> None:
        def wrong(x: Numbers) -> Numbers:
            return np.vstack([x[: len(x) // 2], np.cos(x[len(x) // 2 :])])

        assert found(lambda x: x, wrong, np.vstack([X, X]), Y) == "relation-partly-right"
        assert found(lambda x: x, wrong, Y, Y[::-1]) == ""

    def test_an_entry_here_and_there_is_none_for_a_wrong_column(self) -> None:
        def wrong(x: Numbers) -> Numbers:
            result = x.copy()
            result[0, -1] += 0.7
            return result

        assert found(lambda x: x.T, lambda x: wrong(x).T, X, Y) == ""

    def test_a_type_that_another_test_let_pass_is_none(self) -> None:
        inputs = (X, Y)
        assert found(np.copy, lambda x: x.astype("f"), *inputs) == "relation-dtype"
        assert found(np.copy, lambda x: x.astype("f"), *inputs, passed=1) == ""


class TestWhatContradicts:
    def test_a_right_result_of_which_the_relation_is_not_true_does(self) -> None:
        def sometimes(x: Numbers) -> Numbers:
            return -x if x.shape == X.shape else x

        assert found(lambda x: x, sometimes, Y, X, passed=1) == ""

    def test_a_wrong_result_of_which_it_is_not_true_does(self) -> None:
        def sometimes(x: Numbers) -> Numbers:
            return -x if x.shape == X.shape else x**2

        assert found(lambda x: x, sometimes, Y, X) == ""

    def test_numbers_that_are_nearly_right_where_they_belong_are_not_out_of_place(self) -> None:
        def nearly(x: Numbers) -> Numbers:
            return np.asarray(2 * x * (1 + 4e-5 * np.cos(9 * x)))

        assert found(lambda x: 2 * x, nearly, X, Y) == ""
        assert found(lambda x: 0 + x, lambda x: nearly(x) / 2, X, Y) == ""

    def test_a_failing_test_in_which_everything_is_right_does(self) -> None:
        right, wrong = (observed([((X,), {})], lambda x: x, w) for w in (np.copy, np.negative))
        assert relation_in([wrong], [False])
        assert relation_in([wrong, right], [False, True]) is None
        assert relation_in([wrong, right], [False, False]) is None

    def test_a_failing_test_in_which_nothing_tells_does(self) -> None:
        wrong, zero = (observed([((x,), {})], lambda x: x, np.negative) for x in (X, 0 * Y))
        assert relation_in([wrong, zero], [False, True])
        assert relation_in([wrong, zero], [False, False]) is None

    def test_an_error_in_a_failing_test_does(self) -> None:
        (call,) = observed([((X,), {})], lambda x: x, np.negative)
        error = {"type": "ValueError", "message": "no", "function": "f", "line": 1}
        failed = Exchange("f", call.exchange.request, {"error": error}, StudentRaised("f", error))
        crash = Observed(failed, call.right)
        assert relation_in([[call], [crash]], [False, False]) is None
        assert relation_in([[call, crash]], [False]) is None
        assert relation_in([[call], [crash]], [False, True])


@pytest.mark.parametrize(
    ("right", "wrong", "start"),
    [
        (
            lambda x: (x, x + 1),
            lambda x: (x, -x - 1),
            "In the calls that we compared, the first of your two results is right. The",
        ),
        (
            lambda x: {"a": x, "b": x + 1},
            lambda x: {"a": x.T, "b": x + 1},
            "In the calls that we compared, `b` is right. `a` in what you return is the right",
        ),
        (lambda x: (x, x + 1), lambda x: (-x, -x - 1), "Each of your results"),
        (
            lambda x: (x, x.T @ x),
            lambda x: (x.T @ x, x),
            "What you return holds the right results",
        ),
    ],
    ids=["second", "key", "each", "exchanged"],
)
def test_of_several_results_those_that_are_wrong_are_named(
    right: Answer, wrong: Answer, start: str
) -> None:
    assert message(right, wrong, X).startswith(start)


def test_results_that_are_wrong_in_different_ways_are_related_one_by_one() -> None:
    told = message(lambda x: (x, x + 1), lambda x: (np.cos(x), -x - 1), X)
    assert told.startswith("The second of your two results is the right result with every sign")
    assert found(lambda x: (x, x + 1), lambda x: (np.cos(x), np.sin(x)), X) == ""


def test_a_result_that_is_right_in_some_failing_tests_alone_is_not_called_right() -> None:
    def wrong(x: Numbers) -> Any:
        return (x if x.shape == X.shape else np.cos(x)), -x - 1

    told = message(lambda x: (x, x + 1), wrong, X, Y)
    assert told.startswith("The second of your two results is the right result with every sign")


def test_a_result_that_tells_nothing_is_not_called_right() -> None:
    told = message(lambda x: (np.ones(2), x), lambda x: (np.ones(2), -x), X)
    assert told.startswith("The second of your two results is the right result with every sign")


@pytest.mark.parametrize(
    ("wrong", "inputs", "words"),
    [
        (lambda x: x * np.sqrt(x.shape[-1]), [X, Y], "√n, where n is the length of the last axis"),
        (lambda x: x / x.shape[-2], [X, Y], "1/n, where n is the length of the second-to-last"),
        (lambda x: 2 * x, [X], "times 2 in all"),
        (lambda x: x / 2, [X, Y], "times ½ in all"),
        (lambda x: 3.7 * x, [X, Y], "times about 3.7 in all"),
    ],
    ids=["root", "mean", "twice, and not the root of 4", "half", "other"],
)
def test_a_factor_is_called_by_its_name(wrong: Answer, inputs: list[Numbers], words: str) -> None:
    assert words in message(lambda x: x, wrong, *inputs)


FIVE = [np.arange(n) ** 2.0 for n in range(3, 8)]  # their means are 1.67, 3.5, 6, 9.17 and 13


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda x: 2 * x.mean(), "the right number times 2 in all our calls"),
        (lambda x: x.sum(), "times n, where n is the length of the last axis"),
        (lambda x: -float(x.mean()), "the right number with its sign reversed"),
    ],
    ids=["twice", "sum", "sign"],
)
def test_single_numbers_of_several_calls_are_seen_together(wrong: Answer, words: str) -> None:
    assert words in message(np.mean, wrong, *FIVE)
    assert relation(np.mean, wrong, *FIVE[:3]) is None  # three may be so by chance


def test_a_right_number_contradicts_what_is_said_of_the_wrong_ones() -> None:
    def mostly_twice(x: Numbers) -> Any:
        return x.mean() * (2 if len(x) > 3 else 1)

    assert found(np.mean, mostly_twice, *FIVE[1:]) == "relation-factor"
    assert found(np.mean, mostly_twice, *FIVE, passed=1) == ""


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (np.s_[:1], "the first row is wrong"),
        (np.s_[:-1], "every row before the last is wrong"),
        (np.s_[3:], "everything after the first 3 rows is wrong"),
        (np.s_[:, 1:], "every column after the first is wrong"),
    ],
    ids=str,
)
def test_the_wrong_rows_are_named(place: Any, words: str) -> None:
    def wrong(x: Numbers) -> Numbers:
        result = x.copy()
        result[place] += 0.7
        return result

    assert words in message(lambda x: x, wrong, *(np.vstack([x, x]) for x in (X, Y)))


def test_rows_in_which_a_mask_hides_something_are_named() -> None:
    exercise = attention(np.random.default_rng(0))
    ((args, _),) = exercise.tests[0]
    mask = np.ones((len(args[0]), len(args[1])), dtype=bool)
    mask[1, :2] = False
    seen = np.arange(len(mask)) != 1

    def wrong(*args: Numbers, **kwargs: Numbers) -> Any:
        return np.where(seen[:, None], exercise.right(*args), 0.1)

    told = relation_in([observed([(args, {"mask": mask})], exercise.right, wrong)], [False])
    assert told is not None
    assert "rows in which `mask` has something False" in told.message


def test_a_huge_result_is_not_looked_at() -> None:
    assert found(lambda x: x, lambda x: -x, np.random.default_rng(0).normal(size=(600, 600))) == ""


def test_an_argument_that_changes_a_little_may_still_be_used_in_part() -> None:
    changed = np.vstack([X[:-1], Y[:1, :1].repeat(5, axis=1)])

    def wrong(x: Numbers) -> Numbers:
        return np.outer(x[0], x[0])

    assert found(lambda x: x.T @ x, wrong, X, changed) == ""


def test_lengths_are_not_told_apart_by_special_arguments() -> None:
    def wrong(x: Numbers) -> Numbers:
        return x @ x.T if len(x) == x.shape[1] else np.cos(x @ x.T)

    square = [np.random.default_rng(n).normal(size=(n, n)) for n in (5, 6)]
    special = [np.sqrt(n) * np.eye(n) for n in (5, 6)]
    assert found(lambda x: x @ x.T, wrong, *square, X, passed=2) == "relation-equal-sizes"
    assert found(lambda x: x @ x.T, wrong, *special, X, passed=2) == ""


class TestWhatIsKept:
    def test_between_tests_the_result_of_another_call_comes_back(self) -> None:
        kept: dict[Any, Numbers] = {}

        def wrong(x: Numbers) -> Numbers:
            return kept.setdefault(x.shape, x)

        inputs = [X, Y, X + 1, Y[::-1] - 1]
        assert found(np.copy, wrong, *inputs, passed=2) == "relation-earlier-call"

    def test_an_argument_without_effect_is_none_that_is_kept(self) -> None:
        mask = np.tri(4, 5, dtype=bool)
        calls: list[list[tuple[tuple[Any, ...], dict[str, Any]]]]
        calls = [[((X,), {})], [((X,), {"mask": mask})]]
        tests = [observed(test, _masked, lambda x, mask=None: x) for test in calls]
        told = relation_in(tests, [True, False])
        assert told is None or told.tag != "relation-earlier-call"


def _masked(x: Numbers, mask: Numbers | None = None) -> Numbers:
    return x if mask is None else np.where(mask, x, 0.1)


class TestSixteenBits:
    def test_numbers_too_large_for_them_may_be_lost(self) -> None:
        def wrong(x: Numbers) -> Numbers:
            return np.asarray(x.astype(np.float16) * np.float16(1))

        inputs = [X, Y, np.vstack([X, 1e5 * X])]
        with np.errstate(over="ignore"):
            assert found(np.copy, wrong, *inputs) == "relation-half-precision"

    def test_bfloat16_is_called_by_its_own_name(self) -> None:
        def wrong(x: Numbers) -> Numbers:
            bits = x.astype(np.float32).view(np.uint32) & np.uint32(0xFFFF0000)
            return bits.view(np.float32).astype(float)

        assert "by way of bfloat16" in message(np.copy, wrong, X)

    def test_whole_numbers_are_none_that_lack_digits(self) -> None:
        assert found(np.copy, np.rint, X, Y) == ""


def test_a_length_beyond_which_nothing_is_right_is_named() -> None:
    def wrong(pair: tuple[Numbers, Numbers]) -> Numbers:
        return np.asarray(pair[0][-3:].sum(0) * pair[1].sum())

    def right(pair: tuple[Numbers, Numbers]) -> Numbers:
        return np.asarray(pair[0].sum(0) * pair[1].sum())

    pairs = [(np.random.default_rng(n).normal(size=(n, 5)), Y) for n in (2, 3, 1, 6, 4)]
    told = message(right, wrong, *pairs, passed=3)
    assert "is 3 or less, and in none in which it is 4 or more" in told


def test_numbers_that_change_places_within_each_row_are_named() -> None:
    assert found(np.copy, lambda x: np.sort(x, axis=-1), X, Y) == "relation-permuted"


def test_the_first_sentence_for_all_is_named() -> None:
    batches = [np.random.default_rng(n).normal(size=(3, n, 4)) for n in (5, 6)]

    def wrong(x: Numbers) -> Numbers:
        return np.asarray(np.tanh(x) * x[:1].sum())

    def right(x: Numbers) -> Numbers:
        return np.asarray(np.tanh(x) * x.sum((1, 2), keepdims=True))

    assert found(right, wrong, *batches, batches[0][:1]) == ""
    assert found(right, wrong, batches[0][:1], *batches, passed=1) == "relation-batch-mixed"


def test_an_error_where_we_go_on_with_a_result_contradicts_nothing() -> None:
    (call,) = observed([((X,), {})], np.copy, np.transpose)
    error = {"type": "RuntimeError", "message": "no"}
    request = {"op": "gradients", "target": wire.Handle("key", "F"), "args": [], "kwargs": {}}
    failure = StudentRaised("F", error)
    ours = Observed(Exchange("F", request, {"error": error}, failure), {"value": {}})
    told = relation_in([[call], [ours]], [False, False])
    assert told is not None
    assert told.tag == "relation-transposed"


def test_a_factor_of_each_row_is_named() -> None:
    def off_by_one(x: Numbers) -> Numbers:
        powers = np.exp(x)
        return np.asarray(powers / (1 + powers.sum(-1, keepdims=True)))

    def softmax(x: Numbers) -> Numbers:
        return np.asarray(np.exp(x) / np.exp(x).sum(-1, keepdims=True))

    assert found(softmax, off_by_one, X, Y) == "relation-factor"
    assert found(softmax, lambda x: softmax(x) + 0.01 * x, X, Y) == ""


def test_a_factor_of_nearly_one_is_none() -> None:
    assert found(np.copy, lambda x: 1.0004 * x, X, Y) == ""
    assert found(np.copy, lambda x: 1.01 * x, X, Y) == "relation-factor"


class TestWhatRunsOverAnAxis:
    def test_a_mean_or_a_sum_is_named_with_its_axis_filled_up_or_not(self) -> None:
        assert "averaged over its last axis" in message(np.copy, lambda x: x.mean(-1), X, Y)
        filled_up = message(np.copy, lambda x: x.mean(-1, keepdims=True) + 0 * x, X, Y)
        assert "each place along it has the same" in filled_up
        assert "summed up over its second-to-last axis" in message(
            np.copy, lambda x: x.sum(-2, keepdims=True) + 0 * x, X, Y
        )
        assert found(np.copy, lambda x: x.max(-1), X, Y) == ""

    def test_the_mean_of_what_is_alike_is_none(self) -> None:
        assert found(lambda x: x * 0 + 0.3, lambda x: x[0] * 0 + 0.3, X, Y) != "relation-averaged"

    def test_a_running_sum_or_mean_is_named_with_its_axis(self) -> None:
        counts = np.arange(1, 21)[:, None]
        assert "has the sum at each place along the second-to-last axis" in message(
            np.copy, lambda x: np.cumsum(x, axis=-2), X, Y
        )
        assert "has the mean at each place along the second-to-last axis" in message(
            np.copy, lambda x: np.cumsum(x, axis=-2) / counts[: len(x)], X, Y
        )

    def test_one_row_for_all_is_named_unless_one_is_right_elsewhere(self) -> None:
        batches = [np.random.default_rng(n).normal(size=(3, n, 4)) for n in (5, 6)]

        def last(x: Numbers) -> Numbers:
            return np.broadcast_to(x[:, -1:], x.shape)

        assert "has the last row of the right result at each" in message(np.copy, last, *batches)
        contradicted = found(
            np.copy, lambda x: last(x) if x.shape[1] == 5 else x, *batches[::-1], passed=1
        )
        assert contradicted != "relation-one-for-all"
        assert found(np.copy, lambda x: x[:, -1:] * np.cos(x), *batches) == ""


class TestWhatIsAdded:
    @pytest.mark.parametrize(
        ("wrong", "words"),
        [
            (lambda x: x + 0.3, "by one and the same number in every entry"),
            (lambda x: x - x.mean(-1, keepdims=True), "by a number of its own for each row"),
            (
                lambda x: x + np.linspace(1, 2, x.shape[-1]),
                "by a number of its own for each column",
            ),
        ],
    )
    def test_it_is_said_where_it_is_the_same(self, wrong: Answer, words: str) -> None:
        assert words in message(np.copy, wrong, X, Y)

    def test_what_is_added_in_some_calls_alone_has_another_cause(self) -> None:
        assert found(np.copy, lambda x: x + 0.3 * (len(x) == 4), X, Y, passed=0) == ""

    def test_what_differs_from_entry_to_entry_is_none(self) -> None:
        assert found(np.copy, lambda x: x + 0.1 * np.cos(x), X, Y) == ""

    def test_whole_numbers_and_hidden_scores_tell_nothing_of_it(self) -> None:
        counts = [(9 * x).astype(int) for x in (X, Y)]
        assert found(np.copy, lambda x: x + 1, *counts) == ""
        hidden = [np.where(x > 0.5, -1e9, x) for x in (X, Y)]
        assert found(np.copy, lambda x: x + np.cos(x), *hidden) == ""


class TestWhatIsCut:
    def test_decimals_that_are_rounded_or_cut_off_are_counted(self) -> None:
        assert "rounded to 2 decimals" in message(np.copy, lambda x: x.round(2), X, Y)
        cut = message(np.copy, lambda x: np.trunc(x * 1000) / 1000, X, Y)
        assert "cut off after 3 decimals" in cut
        four = message(lambda x: 2 * x, lambda x: (2 * x).round(4), X, Y)
        assert "rounded to 4 decimals" in four

    def test_numbers_on_a_grid_that_are_wrong_otherwise_are_not_rounded(self) -> None:
        assert found(np.copy, lambda x: (x + 0.07 * np.cos(x)).round(1), X, Y) == ""
        assert found(np.copy, lambda x: np.where(x > 1, x, x.round(2)), X, Y) != "relation-rounded"

    def test_a_limit_is_named_with_the_side_on_which_it_lies(self) -> None:
        assert "its smallest entries" in message(np.copy, lambda x: np.maximum(x, 0), X, Y)
        assert "its largest entries" in message(np.copy, lambda x: x.clip(max=0.3), X, Y)
        both = message(np.copy, lambda x: x.clip(-0.4, 0.3), X, Y)
        assert "its largest and smallest entries" in both

    def test_one_entry_that_is_too_small_is_no_limit(self) -> None:
        assert found(np.copy, lambda x: np.where(x == x.max(), 0.99 * x, x), X, Y) == ""

    def test_a_limit_that_a_right_result_exceeds_is_none(self) -> None:
        wrong = lambda x: np.maximum(x, 0) if len(x) == 4 else x  # noqa: E731
        assert found(np.copy, wrong, Y, X, passed=1) == ""


class TestSomeLengths:
    def right(self, x: Numbers) -> Numbers:
        return np.asarray(np.tanh(x) * x.sum())

    def wrong(self, x: Numbers) -> Numbers:
        return np.asarray(np.cos(x) * x.sum())

    def told(self, is_right: Any, *sizes: int) -> str:
        inputs = sorted(
            (np.random.default_rng(n).normal(size=(n, 5)) for n in sizes),
            key=lambda x: not is_right(len(x)),
        )
        answer = lambda x: self.right(x) if is_right(len(x)) else self.wrong(x)  # noqa: E731
        told = relation(self.right, answer, *inputs, passed=sum(map(is_right, sizes)))
        return told.message if told else ""

    def test_even_and_odd_are_named(self) -> None:
        assert "in which the length of the second-to-last axis of the first argument is even" in (
            self.told(lambda n: n % 2 == 0, *range(4, 10))
        )
        assert "argument is odd, and in none" in self.told(lambda n: n % 2 == 1, *range(4, 10))

    def test_two_even_lengths_may_be_an_accident(self) -> None:
        assert self.told(lambda n: n % 2 == 0, 4, 5, 6, 7, 9) == ""

    def test_a_limit_on_the_length_is_another_thing(self) -> None:
        assert "is even" not in self.told(lambda n: n <= 6, 2, 4, 6, 7, 9)

    def test_lengths_that_have_nothing_in_common_are_named_by_nothing(self) -> None:
        assert self.told(lambda n: n in (4, 7), 4, 5, 6, 7) == ""

    def test_a_batch_of_one_is_named(self) -> None:
        batches = [np.random.default_rng(n).normal(size=(n % 3, n, 5)) for n in (4, 7, 5, 8)]

        def wrong(x: Numbers) -> Numbers:
            return np.asarray(np.tanh(x) * x[:1].sum() * (1 if len(x) == 1 else 0.3 + x))

        told = message(lambda x: np.tanh(x) * x.sum(), wrong, *batches, passed=2)
        assert "the length of the first axis of the right result is 1, and in none" in told

    def test_axes_of_length_one_are_named_whichever_they_are(self) -> None:
        shapes = [(2, 4, 5), (3, 2, 5), (1, 4, 5), (3, 1, 5), (1, 1, 5)]
        inputs = [np.random.default_rng(0).normal(size=shape) for shape in shapes]

        def told(is_wrong: Callable[[Numbers], bool], passed: int) -> str:
            wrong = lambda x: (self.wrong if is_wrong(x) else self.right)(x)  # noqa: E731
            return message(self.right, wrong, *inputs, passed=passed)

        assert "no axis happens to have the length 1" in told(lambda x: 1 in x.shape, 2)
        one_token = told(lambda x: x.shape[1] == 1, 3)
        assert "second-to-last axis of the first argument is more than 1, and in" in one_token

    def test_one_odd_length_among_others_tells_nothing(self) -> None:
        assert self.told(lambda n: n != 5, 4, 5, 6) == ""


def test_an_argument_has_one_name_whichever_way_it_is_passed() -> None:
    def right(rows: int, width: int) -> Numbers:
        numbers: Numbers = np.random.default_rng(rows).normal(size=(rows, width))
        return numbers

    def wrong(rows: int, width: int) -> Numbers:
        numbers: Numbers = right(rows, width) * width**0.5
        return numbers

    tests: list[list[Arguments]] = [
        [((4, 5), {})],
        [((3,), {"width": 7})],
        [((), {"rows": 2, "width": 6})],
    ]
    parameters = parameters_in("def f(rows, width):\n    return g(rows, width)\n")
    calls = [
        [each._replace(exchange=by_name(each.exchange, parameters)) for each in made]
        for made in (observed(test, right, wrong) for test in tests)
    ]
    told = relation_in(calls, [False] * 3)
    assert told is not None
    assert "√n, where n is `width`" in told.message


def test_the_parameters_of_functions_constructors_and_forward_are_known() -> None:
    source = "def f(a, b=1): ...\nclass M(nn.Module):\n    def __init__(self, d): ...\n"
    source += "    def forward(self, x, mask=None): ...\n    def other(self, y): ...\n"
    assert parameters_in(source) == {"f": ["a", "b"], "M": ["d"], "M.forward": ["x", "mask"]}
