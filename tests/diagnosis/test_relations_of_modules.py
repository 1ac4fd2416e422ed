"""Relations that show in modules: what they were made with, their weights, their mode, their past.

Modules are played here: a right and a wrong function of weights, mode and inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from autograder.diagnosis.relations import relation_in
from autograder.diagnosis.relations.gathering import Observed
from autograder.sandbox import wire
from autograder.testing.student import Exchange

Numbers = npt.NDArray[Any]
DRAW = np.random.default_rng(0)
X, Y, Z = (DRAW.normal(size=(3, 4, 6)) for _ in range(3))
W, OTHER_W = (DRAW.normal(size=(6, 5)) for _ in range(2))


@dataclass
class Playing:
    """The calls of one hidden test to a module that `right` and `wrong` play."""

    right: Callable[..., Any]
    wrong: Callable[..., Any]
    made_with: int = 2
    is_drawn: bool = False
    is_train: bool = True
    calls: list[Observed] = field(default_factory=list)
    weights: Numbers = field(default_factory=lambda: np.zeros((6, 5)))

    def __post_init__(self) -> None:
        self.target = wire.Handle(f"key-{id(self)}", "M")
        request = {"op": "call", "name": "M", "args": [self.made_with], "kwargs": {}}
        self._note(request, self.target, self.target, is_random=self.is_drawn)

    def load(self, weights: Numbers) -> Playing:
        """Set the weights."""
        self.weights = weights
        request = {"op": "load", "target": self.target, "state": {"W.weight": weights}}
        self._note(request, None, None)
        return self

    def mode(self, is_train: bool) -> Playing:
        """Switch the mode."""
        self.is_train = is_train
        self._note({"op": "mode", "target": self.target, "train": is_train}, None, None)
        return self

    def __call__(self, x: Numbers, is_random: bool = False, **kwargs: Any) -> Playing:
        """Call the module."""
        request = {"op": "forward", "target": self.target, "args": [x], "kwargs": kwargs}
        got, right = (play(self, x, **kwargs) for play in (self.wrong, self.right))
        self._note(request, got, right, is_random)
        return self

    def _note(
        self, request: Mapping[str, Any], got: Any, right: Any, is_random: bool = False
    ) -> None:
        exchange = Exchange("M", request, {"value": got})
        self.calls.append(Observed(exchange, {"value": right}, is_random))


def linear(module: Playing, x: Numbers) -> Any:
    return module.made_with * (x @ module.weights)


def found(*tests: Playing) -> str:
    """Return the tag and the words of the relation, if all tests failed."""
    relation = relation_in([test.calls for test in tests], [False] * len(tests))
    return f"{relation.tag}: {relation.message}" if relation else ""


def test_weights_without_effect_are_named() -> None:
    def without_weights(module: Playing, x: Numbers) -> Any:
        return module.made_with * (x @ W)

    tests = [Playing(linear, without_weights).load(w)(X) for w in (W, OTHER_W)]
    told = found(tests[1], tests[1])
    assert "ignores" not in told
    relation = relation_in([test.calls for test in tests], [True, False])
    assert relation is not None
    assert "doesn't depend on the weights in `W.weight`" in relation.message


def test_what_a_module_is_made_with_may_be_without_effect() -> None:
    def always_two(module: Playing, x: Numbers) -> Any:
        return 2 * (x @ module.weights) + 1

    tests = [Playing(linear, always_two, number).load(W)(X) for number in (2, 3)]
    assert "doesn't depend on the first argument of `M(…)`" in found(*tests)


def test_numbers_that_come_from_drawn_weights_are_not_compared() -> None:
    def negated(module: Playing, x: Numbers) -> Any:
        return -linear(module, x)

    assert "relation-sign" in found(Playing(linear, negated).load(W)(X))
    drawn = Playing(linear, negated, is_drawn=True)
    drawn.weights = W
    assert found(drawn(X)) == ""
    assert "relation-sign" in found(Playing(linear, negated, is_drawn=True).load(W)(X))


def test_with_drawn_weights_an_argument_without_effect_is_still_seen() -> None:
    def right(module: Playing, x: Numbers, mask: Numbers | None = None) -> Any:
        return x @ W if mask is None else np.where(mask, x @ W, 0)

    def wrong(module: Playing, x: Numbers, mask: Numbers | None = None) -> Any:
        return x @ OTHER_W

    test = Playing(right, wrong, is_drawn=True)
    assert "doesn't depend on `mask`" in found(test(X)(X, mask=DRAW.normal(size=(3, 4, 5)) > 0))


def test_being_right_in_one_mode_alone_is_named() -> None:
    def noisy(module: Playing, x: Numbers) -> Any:
        return linear(module, x) + (0.7 if module.is_train else 0)

    test = Playing(linear, noisy).load(W)(X).mode(is_train=False)(Y)
    assert "right in eval mode and wrong in train mode" in found(test)
    contradicted = Playing(linear, lambda m, x: linear(m, x) + (0.7 if x is X else 0))
    assert found(contradicted.load(W)(X)(Z).mode(is_train=False)(Y)) == ""


def test_the_same_in_both_modes_is_named_where_chance_has_a_part() -> None:
    def drops_out(module: Playing, x: Numbers) -> Any:
        kept = DRAW.random(size=(3, 4, 5)) > 0.3 if module.is_train else 1
        return linear(module, x) * kept

    test = Playing(drops_out, linear).load(W)(X, is_random=True).mode(is_train=False)(X)
    assert "in train mode agrees with that in eval mode" in found(test)
    both = Playing(drops_out, drops_out).load(W)(X, is_random=True).mode(is_train=False)(X)
    assert found(both) == ""


def test_a_result_kept_from_an_earlier_call_is_named() -> None:
    kept: dict[int, Any] = {}

    def keeps(module: Playing, x: Numbers) -> Any:
        return kept.setdefault(id(module), linear(module, x))

    tests = [Playing(linear, keeps).load(W)(one)(other) for one, other in ((X, Y), (Y, X))]
    assert "the result of a call before" in found(*tests)


def test_a_later_call_that_is_wrong_for_another_reason_depends_on_no_earlier_one() -> None:
    def right(module: Playing, x: Numbers, token: int) -> Any:
        return x[:, token] @ module.weights

    def wrong(module: Playing, x: Numbers, token: int) -> Any:
        return (x[:, token] + x[:, 0] * (token > 0)) @ module.weights

    tests = [Playing(right, wrong).load(W)(x, token=0)(x, token=2) for x in (X, Y)]
    assert found(*tests) == ""


def test_another_result_for_an_equal_call_is_named() -> None:
    def noisy(module: Playing, x: Numbers) -> Any:
        return linear(module, x) + DRAW.normal(size=(3, 4, 5))

    assert "differs between equal calls" in found(Playing(linear, noisy).load(W)(X)(X))
    assert "repeatable" not in found(Playing(linear, noisy).load(W)(X)(Y))


def test_a_failing_test_in_which_a_module_cannot_be_made_is_not_explained() -> None:
    def negated(module: Playing, x: Numbers) -> Any:
        return -linear(module, x)

    test = Playing(linear, negated).load(W)(X)
    assert "relation-sign" in found(test)
    made = test.calls[0]
    error = {"error": {"type": "TypeError", "message": "no"}}
    test.calls.append(Observed(Exchange("M", made.exchange.request, error), made.right))
    assert found(test) == ""


def test_what_differs_between_drawn_weights_is_laid_on_no_argument() -> None:
    def right(module: Playing, x: Numbers, scale: float = 1.0) -> Any:
        return x @ module.weights

    def wrong(module: Playing, x: Numbers, scale: float = 1.0) -> Any:
        return x @ np.ones((6, 5))

    plain, scaled = (Playing(right, wrong, is_drawn=True) for _ in range(2))
    plain.weights, scaled.weights = W, OTHER_W
    assert found(plain(X), scaled(X, scale=2.0)) == ""
