"""The inputs of locked notes: what hidden tests ask of the solution, with simpler numbers.

Their draws come from a seed that everybody may know, and never from the course's. Numbers are
multiples of 1/8, where that can be: right answers in any style then agree in nearly all digits.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from autograder.sandbox import wire
from autograder.sandbox.host.callbacks import Model
from autograder.testing.student import Exchange

SEED = 20170612  # the day on which "Attention Is All You Need" came out
MAX_PLACES = 48  # results that are looked at, of one exercise, unless its calls are of more kinds
MAX_BYTES = 6000  # of what one step needs
MAX_ENTRIES = 4096  # of all arrays that a result is computed from: checks should take no time
MAX_WEIGHTS = 100_000  # of one module: they are drawn anew, not sent
_LOOKED_AT = ("call", "forward", "gradients")
_FIELDS = {  # of requests, by operation, that a notebook plays
    "call": ("name", "args", "kwargs", "key"),
    "forward": ("target", "args", "kwargs"),
    "load": ("target", "state"),
    "mode": ("target", "train"),
    "gradients": ("target", "args", "kwargs", "cotangent"),
}
Step = tuple[int | None, str, dict[str, Any]]  # its place among what is looked at, if it is


@dataclass(frozen=True)
class Inputs:
    """What is asked of an exercise: a script for each hidden test, as the notebook plays it."""

    scripts: tuple[tuple[Step, ...], ...]
    forbids: tuple[str, ...]

    def only(self, places: Iterable[int]) -> Inputs:
        """Return what is needed for these places alone."""
        kept = set(places)
        scripts = (tuple(_needed(script, kept)) for script in self.scripts)
        return Inputs(tuple(filter(None, scripts)), self.forbids)


def inputs_of(tests: Sequence[Sequence[Exchange]]) -> Inputs:
    """Return what the hidden tests asked; of many calls, some of each test."""
    places, share = count(), math.ceil(MAX_PLACES / max(1, len(tests)))
    scripts = tuple(tuple(_script(exchanges, places)) for exchanges in tests)
    found = Inputs(
        scripts,
        tuple(sorted({n for each in tests for e in each for n in e.request.get("forbid", ())})),
    )
    return found.only(place for script in scripts for place in _chosen(script, share))


def _chosen(script: Sequence[Step], most: int) -> list[int]:
    """Return some places of a test: one of each kind of call, then others among all of them."""
    kinds = dict[str, list[int]]()
    for place, operation, sent in script:
        if place is not None:
            kinds.setdefault(f"{operation} {_kind(sent)}", []).append(place)
    first = [places[0] for places in kinds.values()]
    rest = sorted({place for places in kinds.values() for place in places}.difference(first))
    more = max(0, most - len(first))
    return first + [rest[n * len(rest) // more] for n in range(min(more, len(rest)))]


def _kind(value: Any) -> Any:
    """Return what two calls have in common that differ in numbers and sizes alone."""
    match value:
        case {"array": [kind, *_]} | {"tensor": [kind, *_]}:
            return kind
        case {"weights": _}:
            return "float32"
        case {"made": _} | {"model": _}:
            return "module"
        case dict():
            return {n: _kind(each) for n, each in value.items() if n not in ("key", "target")}
        case list():
            return [_kind(each) for each in value]
        case str():
            return value
    return type(value).__name__


def _script(exchanges: Sequence[Exchange], places: Iterator[int]) -> Iterator[Step]:
    """Yield the steps of one test that can be played from what is written down."""
    known = set[str]()  # the modules that are as they were when the test asked
    for exchange in exchanges:
        request, operation = exchange.request, exchange.request["op"]
        if operation not in _FIELDS:
            continue
        sent = _sent(request)
        if sent is None or not known.issuperset(_handles(sent)):
            known.difference_update(_touched(request))
            continue
        known.add(request.get("key", ""))
        yield (next(places) if operation in _LOOKED_AT else None, operation, sent)


def _sent(request: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what a notebook needs to do the same; None if that can't be written, or is long."""
    most = MAX_WEIGHTS if request["op"] == "load" else MAX_ENTRIES
    if request.get("effect") or request.get("inputs") or _entries(request) > most:
        return None
    try:
        sent = {name: _written(request[name]) for name in _FIELDS[request["op"]]}
    except _NotSent:
        return None
    if "target" in sent:
        sent["target"] = sent["target"]["made"]
    return sent if len(json.dumps(sent)) <= MAX_BYTES else None


def _entries(value: Any) -> int:
    """Return how many numbers all tensors and arrays in a request have."""
    if isinstance(value, Mapping):
        return sum(map(_entries, value.values()))
    if isinstance(value, (list, tuple)):
        return sum(map(_entries, value))
    return int(np.prod(value.shape)) if hasattr(value, "shape") else 0


def _touched(request: Mapping[str, Any]) -> list[str]:
    """Return the modules that a request may change, unless it only asks one for a result."""
    if request["op"] in ("forward", "gradients"):
        return []
    targets = [request.get("target"), *request.get("args", ())]
    return [each.key for each in targets if isinstance(each, wire.Handle)]


def _needed(script: Sequence[Step], kept: set[int]) -> Iterator[Step]:
    modules, found = set[str](), list[Step]()
    for place, operation, sent in reversed(script):
        mine, is_kept = set(_handles(sent)), place in kept
        changes = operation in ("load", "mode", "call")
        if is_kept or (changes and modules & (mine | {sent.get("key", "")})):
            modules |= mine
            found.append((place if is_kept else None, operation, sent))
    yield from reversed(found)


def _handles(value: Any) -> Iterator[str]:
    """Yield the modules that a step needs."""
    if isinstance(value, dict):
        if isinstance(value.get("target"), str):
            yield value["target"]
        if isinstance(value.get("made"), str):
            yield value["made"]
        for each in value.values():
            yield from _handles(each)
    elif isinstance(value, list):
        for each in value:
            yield from _handles(each)


class _NotSent(Exception):
    """An argument that no notebook can be given in writing."""


def _written(value: Any) -> Any:
    """Return an argument as the notebook's `given` reads it."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case np.generic():
            return value.item()
        case Model() if stand_in := getattr(value.function, "stand_in", None):
            return {"model": stand_in()}
        case wire.Handle():
            return {"made": value.key}
        case tuple():
            return {"tuple": [_written(each) for each in value]}
        case list():
            return [_written(each) for each in value]
        case dict() if all(isinstance(name, str) for name in value):
            return {name: _written(each) for name, each in value.items()}
        case np.ndarray() if value.dtype.kind in "biuf":
            return {"array": [str(value.dtype), list(value.shape), _simpler(value)]}
    if hasattr(value, "detach"):
        numbers = value.detach().cpu().numpy()
        if _is_generic(numbers):
            return {"weights": _drawn_anew(numbers)}
        kind = str(value.dtype).removeprefix("torch.")
        return {"tensor": [kind, list(numbers.shape), _simpler(numbers)]}
    raise _NotSent


def _is_generic(numbers: np.ndarray) -> bool:
    """Tell whether an array was drawn: most of its many numbers differ."""
    is_float = numbers.dtype.kind == "f" and np.isfinite(numbers).all()
    return bool(is_float and numbers.size >= 16 and len(np.unique(numbers)) > 0.9 * numbers.size)


def _drawn_anew(numbers: np.ndarray) -> list[Any]:
    """Return shape, seed and scale of numbers of about the same size."""
    scale = 2.0 ** round(math.log2(float(np.sqrt((numbers.astype(float) ** 2).mean())) * 1.6))
    seed = int(np.abs(numbers).sum() * 1e3) % 2**20
    return [list(numbers.shape), seed, scale]


def _simpler(numbers: np.ndarray) -> list[Any]:
    """Return the numbers of an array, rounded to eighths, or to a sixteenth of what is largest."""
    flat = numbers.ravel()
    if numbers.dtype.kind == "f":
        finite = np.abs(flat[np.isfinite(flat)])
        largest = float(finite.max(initial=0))
        step = 1 / 8 if largest >= 1 or not largest else 2.0 ** (math.floor(math.log2(largest)) - 4)
        with np.errstate(invalid="ignore"):
            flat = np.where(np.isfinite(flat), np.round(flat / step) * step, flat)
        return [float(each) for each in flat]
    return list(flat.tolist())
