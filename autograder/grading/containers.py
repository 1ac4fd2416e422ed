"""A wrong container, such as a list in place of an array, costs its points once.

What a student's code returns is compared with what the solution returns to the same request, in
kind and shape alone. Where the same numbers only lie in another container, they are put into the
right one, here, outside the student's process, and the hidden tests go on with that.
"""

import operator
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from autograder.diagnosis.agreement import are_numbers, has_numbers, same
from autograder.diagnosis.case import Finding
from autograder.diagnosis.suspect import Suspect
from autograder.grading.transcripts import Relay
from autograder.sandbox.host.callbacks import models_in
from autograder.sandbox.host.in_process import InProcess
from autograder.testing.student import Channel

# The operations that return what students' code returns.
RESULTS = frozenset({"call", "method", "forward"})
MAX_ENTRIES = 1_000_000  # of what is laid out anew
Findings = tuple[Finding, ...]  # of all hidden tests of an exercise, in order
REPAIRED = (
    "This costs points only here: the other checks went on with the same numbers, as if they had "
    "come back as asked for."
)


def found_in_containers(
    find: Callable[[Callable[[], Channel]], Findings],
    channel_of: Callable[[], Channel],
    right: Callable[[], Suspect],
    solution: Callable[[], InProcess],
) -> tuple[Findings, Findings]:
    """Return what the tests `find` at the channel, and the same if a container costs points once.

    Those points are the ones of the first test that it fails. An answer that isn't the same when it
    is asked again gets no second try. `right()` is a right answer to compare replies with, and
    `solution()` a channel to one.
    """
    raw = find(channel_of)
    if not any(_is_in_another_container(each, right) for each in raw):
        return raw, raw
    repairing = partial(RepairingChannel, solution=solution())
    repaired = find(lambda: repairing(channel_of()))
    if not all(map(_repeats, raw, repaired)):
        return raw, raw
    pairs = zip(repaired, raw, strict=True)  # of equal ones, max takes the first
    found = [max(both, key=lambda each: each.verdict.score) for both in pairs]
    gains = [new.verdict.score - old.verdict.score for new, old in zip(found, raw, strict=True)]
    if not any(gains):
        return raw, raw
    first = next(place for place, gain in enumerate(gains) if gain)
    verdict = raw[first].verdict
    told = verdict.model_copy(update={"message": f"{verdict.message} {REPAIRED}"})
    found[first] = replace(raw[first], verdict=told)
    return raw, tuple(found)


def is_repaired(found: Finding) -> bool:
    """Tell whether this is the test that a wrong container costs."""
    return found.verdict.message.endswith(REPAIRED)


def _is_in_another_container(found: Finding, right: Callable[[], Suspect]) -> bool:
    """Tell whether a failing test got right numbers, as it seems, in a wrong container."""
    if found.passed or not found.is_replayable:
        return False
    for place, exchange in enumerate(found.exchanges):
        if exchange.request["op"] in RESULTS and "value" in exchange.reply:
            rights = right().reply(found.calls, place).message
            value = exchange.reply["value"]
            if "value" in rights and in_container_of(rights["value"], value) is not value:
                return True
    return False


def _repeats(first: Finding, again: Finding) -> bool:
    """Tell whether an answer to the same calls has the same numbers, in whatever container."""
    frames = zip(first.calls.frames, again.calls.frames, strict=False)
    for place, (before, now) in enumerate(frames):
        one, other = (found.exchanges[place].reply for found in (first, again))
        if before != now or not one or not other:  # what follows depends on what was repaired
            return True
        if "error" in one and "error" in other:
            continue
        if "value" in one and "value" in other:
            one = {**one, "value": in_container_of(other["value"], one["value"])}
        if not same(one, other):
            return False
    return True


@dataclass
class RepairingChannel(Relay):
    """A channel to a student's code whose results come in the containers of the solution's."""

    solution: InProcess

    def ask(self, request: Mapping[str, Any], seconds: float | None = None) -> dict[str, Any]:
        reply = self.channel.ask(request, seconds)
        if any(models_in(request)):  # a lent model would be asked by both
            return reply
        right = self.solution.ask(request)  # of each request: it follows the student's modules
        is_result = request["op"] in RESULTS and "value" in reply and "value" in right
        if not is_result:
            return reply
        return {**reply, "value": in_container_of(right["value"], reply["value"])}


def in_container_of(right: Any, value: Any) -> Any:
    """Return the numbers of `value` in the container that `right` is; itself if they don't fit."""
    repaired = _repaired(right, value)
    return value if repaired is None else repaired


def _repaired(right: Any, value: Any) -> Any:
    """Return `value` as `right` has it, or None where that takes more than another container."""
    if isinstance(right, (tuple, list, dict)):
        return _in_parts(right, value)
    if has_numbers(right):
        return _as_array(right, value)
    if isinstance(right, float) and has_numbers(value) and np.size(value) == 1:
        number = np.asarray(value).item()
        return None if isinstance(number, complex) else float(number)
    return value if type(value) is type(right) else None


def _in_parts(right: Any, value: Any) -> Any:
    """Return a container of several results, each in the container of the right one."""
    has_names = isinstance(right, dict)
    expected = list(right.values()) if has_names else list(right)
    has_same = has_names and isinstance(value, dict) and right.keys() == value.keys()
    found = [value[key] for key in right] if has_same else _parts(value)
    if found is None or len(found) != len(expected):
        return None
    parts = list(map(_repaired, expected, found))
    if any(part is None for part in parts):
        return None
    is_right = has_same if has_names else type(value) is type(right)
    if is_right and all(map(operator.is_, parts, found)):
        return value
    return dict(zip(right, parts, strict=True)) if has_names else type(right)(parts)


def _as_array(right: Any, value: Any) -> Any:
    """Return an array, or tensor, of the right shape: of lists, a table, one part, fewer axes."""
    shape = tuple(right.shape)
    if hasattr(value, "to_numpy"):  # a table of pandas
        return _laid_out(right, value.to_numpy(), shape)
    if has_numbers(value):
        if type(value) is type(right) and tuple(value.shape) == shape:
            return value
        return _laid_out(right, value, shape)
    parts = _parts(value)
    if parts is None:
        return None
    fitting = [part for part in parts if hasattr(part, "shape") and tuple(part.shape) == shape]
    if len(fitting) == 1 and len(parts) <= 2:  # a result among others, as in `(output, weights)`
        return _as_array(right, fitting[0])
    if isinstance(value, dict) or not are_numbers(value, MAX_ENTRIES):
        return None
    with suppress(ValueError, TypeError, RuntimeError):  # rows of different lengths
        return _laid_out(right, np.array(value), shape)
    return None


def _laid_out(right: Any, value: Any, shape: tuple[int, ...]) -> Any:
    """Return numbers in the right shape if they have it already, or further axes of length 1.

    A tensor keeps its dtype, which is no matter of containers.
    """
    entries = np.asarray(value)
    is_complex = entries.dtype.kind == "c" and np.asarray(right).dtype.kind != "c"
    without_ones = [[size for size in each if size != 1] for each in (entries.shape, shape)]
    if not has_numbers(entries) or is_complex or entries.size > MAX_ENTRIES:
        return None
    is_wider = entries.ndim > len(shape) and without_ones[0] == without_ones[1]
    if not (is_wider or entries.shape == shape):
        return None
    if type(value) is type(right):
        return value.reshape(shape)
    entries = entries.reshape(shape)
    if isinstance(right, np.ndarray):
        return entries
    with suppress(TypeError, ValueError):  # PyTorch has no long doubles, and one order of bytes
        return right.new_tensor(entries).to(right.dtype)
    return None


def _parts(value: Any) -> list[Any] | None:
    if isinstance(value, dict):
        return list(value.values())
    return list(value) if isinstance(value, (tuple, list)) else None
