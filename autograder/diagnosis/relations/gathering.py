"""From the calls of hidden tests to evidence: modules are followed, results taken apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.diagnosis.digests import digest_of
from autograder.diagnosis.observed import Observed
from autograder.diagnosis.relations.evidence import Call, Case, Evidence, Given
from autograder.diagnosis.relations.results import result_of
from autograder.diagnosis.relations.wording import argument_words, ordinal
from autograder.sandbox import wire
from autograder.sandbox.host.callbacks import Model
from autograder.testing.failures import StudentRaised

MAX_PIECES = 8  # results of one call that are looked at one by one


@dataclass
class _Module:
    """What is known of a module in the student's process."""

    given: dict[str, Given]
    is_drawn: bool  # its weights are random, and were not set since
    changes: int = 0

    def load(self, state: Mapping[str, Any]) -> None:
        """Note that weights were set."""
        self.is_drawn = False
        for name, value in state.items():
            self.given[f"the weights in `{name}`"] = _given(value, {})


@dataclass(frozen=True)
class _Replied:
    """A call with both replies' values, before they are taken apart."""

    call: Call
    got: Any
    right: Any


def evidence_in(tests: Sequence[Sequence[Observed]], passed: Sequence[bool]) -> Iterator[Evidence]:
    """Yield what is known about the results: about the only wrong one of several, or about all."""
    failing = frozenset(
        place
        for place, has_passed in enumerate(passed)
        if not has_passed and not any(map(_has_raised_with_us, tests[place]))
    )
    replied = [
        each
        for place, observed in enumerate(tests)
        for each in _replied_in(place, observed, passed[place])
    ]
    pieces = _pieces(replied)
    if not pieces:
        cases = tuple(
            Case(each.call, "", result_of(each.got), result_of(each.right)) for each in replied
        )
        yield Evidence("What you return", cases, failing)
        return
    parts = {
        piece: Evidence(words, tuple(_part(each, piece) for each in replied), failing)
        for piece, words in pieces.items()
    }
    wrong = [part for part in parts.values() if any(not c.is_right for c in part.compared)]
    if len(wrong) == 1:
        yield wrong[0]
    else:
        some = wrong if wrong else list(parts.values())
        together = tuple(case for part in some for case in part.cases)
        which = "results" if len(some) == len(parts) else "wrong results"
        yield Evidence(f"Each of your {which}", together, failing)


def _replied_in(test: int, observed: Sequence[Observed], passed: bool) -> Iterator[_Replied]:
    """Yield the calls that should return numbers, and whatever else raised an error."""
    modules: dict[str, _Module] = {}
    for place, each in enumerate(observed):
        request, right = each.exchange.request, each.right.get("value")
        if request["op"] in ("call", "forward") and not isinstance(right, wire.Handle):
            if "error" not in each.right:
                call = _call(test, passed, place, each, modules)
                yield _Replied(call, each.exchange.reply.get("value"), right)
            _note_changes(request, modules)
            continue
        if _has_raised(each) and not _has_raised_with_us(each):
            yield _Replied(Call(test, passed, place, each.exchange.name, raised=True), None, None)
        if isinstance(right, wire.Handle):
            given = _arguments(request, modules, f" of `{request['name']}(…)`")
            modules[right.key] = _Module(given, each.is_random)
        elif request["op"] == "load" and request["target"].key in modules:
            modules[request["target"].key].load(request["state"])


def _has_raised(each: Observed) -> bool:
    """Tell whether an error, or nothing, came back from what a right answer can do."""
    exchange = each.exchange
    return ("error" in exchange.reply or exchange.failure is not None) and "error" not in each.right


def _has_raised_with_us(each: Observed) -> bool:
    """Tell whether what a right answer can do failed outside the student's code.

    So it does where we go on with a result, to have gradients, say, whose shape is wrong: that is
    what becomes of a relation, and doesn't contradict it.
    """
    failure = each.exchange.failure
    is_consequence = each.exchange.request["op"] == "gradients"
    return is_consequence and isinstance(failure, StudentRaised) and not failure.place


def _call(
    test: int, passed: bool, place: int, each: Observed, modules: Mapping[str, _Module]
) -> Call:
    request = each.exchange.request
    given = _arguments(request, modules)
    arguments = tuple(given)
    subject: tuple[object, ...] = (request.get("name"),)
    identity = ""
    is_drawn = any(modules[key].is_drawn for key in _keys(request) if key in modules)
    if request["op"] == "forward":
        key = request["target"].key
        subject = (test, key)
        module = modules.get(key, _Module({}, is_drawn=True))
        if module.is_drawn or module.changes:
            identity = f"{test}:{key}:{module.changes}"
        given |= module.given
    return Call(
        test,
        passed,
        place,
        each.exchange.name,
        subject,
        identity,
        given,
        arguments,
        is_train=each.is_train,
        is_random=each.is_random,
        is_comparable=not each.is_random and not is_drawn,
        raised=_has_raised(each),
    )


def _arguments(
    request: Mapping[str, Any], modules: Mapping[str, _Module], of: str = ""
) -> dict[str, Given]:
    named = {argument_words(place) + of: value for place, value in enumerate(request["args"])}
    named |= {f"`{name}`" + of: value for name, value in request["kwargs"].items()}
    return {words: _given(value, modules) for words, value in named.items()}


def _given(value: Any, modules: Mapping[str, _Module]) -> Given:
    if value is None:
        return Given(b"None")
    if isinstance(value, Model):
        return Given(str(id(value.function)).encode())
    if isinstance(value, wire.Handle):
        module = modules.get(value.key, _Module({}, is_drawn=True))
        parts = [f"{name}={each.digest!r}" for name, each in sorted(module.given.items())]
        identity = value.key if module.is_drawn or module.changes else ""
        return Given(f"{identity}:{module.changes}:{parts}".encode())
    return Given(digest_of(value), result_of(value), tuple(_shapes(value)))


def _shapes(value: Any) -> Iterator[tuple[int, ...]]:
    """Yield the shapes of the arrays in an argument, which may be a tuple or a list of them."""
    if isinstance(value, (tuple, list)):
        for each in value:
            yield from _shapes(each)
    elif hasattr(value, "shape"):
        yield tuple(value.shape)


def _note_changes(request: Mapping[str, Any], modules: dict[str, _Module]) -> None:
    """A function that was given a module may have trained it."""
    if request["op"] == "call":
        for key in _keys(request):
            if key in modules:
                modules[key].changes += 1


def _keys(request: Mapping[str, Any]) -> list[str]:
    values = [request.get("target"), *request["args"], *request["kwargs"].values()]
    return [value.key for value in values if isinstance(value, wire.Handle)]


def _pieces(replied: Sequence[_Replied]) -> dict[str, str]:
    """Return the results of a call by name, with the words for each; none if there is only one."""
    returned = [each for each in replied if not each.call.raised]
    values = [value for each in returned for value in (each.right, each.got)]
    names = {_names_in(value) for value in values}
    (common,) = names if len(names) == 1 else [()]
    if not 1 < len(common) <= MAX_PIECES:
        return {}
    if isinstance(values[0], dict):
        return {name: f"`{name}` in what you return" for name in common}
    many = {2: "two", 3: "three", 4: "four"}.get(len(common), str(len(common)))
    return {
        name: f"The {ordinal(place)} of your {many} results" for place, name in enumerate(common)
    }


def _names_in(value: Any) -> tuple[str, ...]:
    if isinstance(value, dict):
        return tuple(sorted(value))
    is_several = isinstance(value, tuple) or (isinstance(value, list) and result_of(value) is None)
    return tuple(map(str, range(len(value)))) if is_several else ()


def _part(each: _Replied, piece: str) -> Case:
    if each.call.raised:
        return Case(each.call, piece, None, None)
    got, right = (
        result_of(value[piece] if isinstance(value, dict) else value[int(piece)])
        for value in (each.got, each.right)
    )
    return Case(each.call, piece, got, right)
