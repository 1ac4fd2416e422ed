"""From the calls of hidden tests to evidence: modules are followed, results taken apart."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from autograder.diagnosis.calls import digest_of
from autograder.diagnosis.relations.evidence import (
    Call,
    Evidence,
    Input,
    ResultCase,
    numbers_in,
    ordinal,
)
from autograder.sandbox import wire
from autograder.sandbox.host.callbacks import Model
from autograder.testing.failures import StudentRaised
from autograder.testing.student import Exchange

_OF_THEM = " in what you return"
MAX_PIECES = 8  # results of one call that are looked at one by one
_Replied = tuple[Call, Any, Any]  # with both replies' values, before they are taken apart


class Observed(NamedTuple):
    """An exchange with the student's process, and the reply of a right answer to the same request.

    `is_random`: whether the right answer used random numbers, so that numbers can't be compared.
    """

    exchange: Exchange
    right: Mapping[str, Any]
    is_random: bool = False

    @property
    def has_raised(self) -> bool:
        """Whether an error, or nothing, came back from what a right answer can do."""
        has_failed = "error" in self.exchange.reply or self.exchange.failure is not None
        return has_failed and "error" not in self.right

    @property
    def has_raised_with_us(self) -> bool:
        """Whether what a right answer can do failed outside the student's code.

        So it does where we go on with a result, to have gradients, say, whose shape is wrong: that
        is what becomes of a relation, and doesn't contradict it.
        """
        failure = self.exchange.failure
        is_ours = isinstance(failure, StudentRaised) and not failure.place
        return self.exchange.request["op"] == "gradients" and is_ours


def parameters_in(source: str) -> dict[str, list[str]]:
    """Return the names of parameters that functions in `source`, and `forward` of modules, have."""
    found = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = [each.arg for each in node.args.args]
        elif isinstance(node, ast.ClassDef):
            methods = {each.name: each for each in node.body if isinstance(each, ast.FunctionDef)}
            for method, end in (("__init__", ""), ("forward", ".forward")):
                if method in methods:
                    found[node.name + end] = [each.arg for each in methods[method].args.args[1:]]
    return found


def by_name(exchange: Exchange, parameters: Mapping[str, Sequence[str]]) -> Exchange:
    """Return the exchange as if arguments whose names are known had been passed by name.

    So an argument has one name in all calls, whichever way a hidden test passes it.
    """
    request = exchange.request
    called = exchange.name if request["op"] == "call" else f"{exchange.name}.forward"
    args, names = request.get("args", ()), parameters.get(called, ())
    if not args or len(args) > len(names):
        return exchange
    kwargs = dict(zip(names, args, strict=False)) | request["kwargs"]
    return replace(exchange, request={**request, "args": [], "kwargs": kwargs})


@dataclass
class _Module:
    """What is known of a module in the student's process; when it is made, it is in train mode."""

    key: str = ""
    given: dict[str, Input] = field(default_factory=dict)
    is_drawn: bool = True  # its weights are random, and were not set since
    is_train: bool = True
    changes: int = 0

    @property
    def identity(self) -> str:
        """What tells its weights from those of others; nothing where `given` does."""
        return f"{self.key}:{self.changes}" if self.is_drawn or self.changes else ""


def evidence_in(
    tests: Sequence[Sequence[Observed]], passed: Sequence[bool]
) -> tuple[Evidence, ...]:
    """Return what is known about the results: about all that are wrong together, then about each.

    What is right is said first. Of results with names, later ones may be made of earlier ones: only
    the first that is wrong is looked at alone, since what it does to the others is no cause.
    """
    failing = frozenset(
        place
        for place, has_passed in enumerate(passed)
        if not has_passed and not any(each.has_raised_with_us for each in tests[place])
    )
    replied = [r for n, observed in enumerate(tests) for r in _replied_in(n, observed, passed[n])]
    pieces = _pieces(replied) or {"": "What you return"}
    parts = [
        Evidence(words, tuple(_part(*each, piece) for each in replied), failing)
        for piece, words in pieces.items()
    ]
    wrong = [part for part in parts if any(not case.is_right for case in part.compared)]
    right = [part.subject.removesuffix(_OF_THEM) for part in parts if wrong and part.is_right]
    some = [replace(part, right=right) for part in wrong or parts]
    if len(some) == 1:
        return (some[0],)
    words = f"Each of your {'results' if len(some) == len(parts) else 'wrong results'}"
    together = Evidence(words, tuple(c for part in some for c in part.cases), failing, right)
    alone = some if next(iter(pieces)).isdigit() else some[:1]
    return (together, *alone) if wrong else (together,)


def _replied_in(test: int, observed: Sequence[Observed], passed: bool) -> Iterator[_Replied]:
    """Yield the calls that should return numbers, and whatever else raised an error."""
    modules: dict[str, _Module] = {}
    for place, each in enumerate(observed):
        request, right = each.exchange.request, each.right.get("value")
        involved = [modules[key] for key in modules.keys() & _keys(request)]
        if request["op"] in ("call", "forward") and not isinstance(right, wire.Handle):
            if "error" not in each.right:
                call = _call(test, passed, place, each, modules)
                yield call, each.exchange.reply.get("value"), right
            if request["op"] == "call":  # a function may train the module that it is given
                for module in involved:
                    module.changes += 1
            continue
        if each.has_raised and not each.has_raised_with_us:
            yield Call(test, passed, place, each.exchange.name, raised=True), None, None
        if isinstance(right, wire.Handle):
            given = _arguments(request, modules, f" of `{request['name']}(…)`")
            modules[right.key] = _Module(right.key, given, each.is_random)
        for module in involved if request["op"] == "mode" else ():
            module.is_train = request["train"]
        for module in involved if request["op"] == "load" else ():
            module.is_drawn = False
            for name, value in request["state"].items():
                module.given[f"the weights in `{name}`"] = _input(value, {})


def _call(
    test: int, passed: bool, place: int, each: Observed, modules: Mapping[str, _Module]
) -> Call:
    request = each.exchange.request
    arguments = _arguments(request, modules)
    given, identity, is_train = arguments, "", False
    subject: tuple[object, ...] = (request.get("name"),)
    is_drawn = any(modules[key].is_drawn for key in modules.keys() & _keys(request))
    if request["op"] == "forward":
        key = request["target"].key
        subject, module = (test, key), modules.get(key, _Module())
        given, is_train = arguments | module.given, module.is_train
        identity = module.identity and f"{test}:{module.identity}"
    return Call(
        test,
        passed,
        place,
        each.exchange.name,
        subject,
        identity,
        given,
        tuple(arguments),
        is_train=is_train,
        is_random=each.is_random,
        is_comparable=not each.is_random and not is_drawn,
        raised=each.has_raised,
    )


def _arguments(
    request: Mapping[str, Any], modules: Mapping[str, _Module], of: str = ""
) -> dict[str, Input]:
    named = {f"the {ordinal(n)} argument{of}": value for n, value in enumerate(request["args"])}
    named |= {f"`{name}`{of}": value for name, value in request["kwargs"].items()}
    return {words: _input(value, modules) for words, value in named.items()}


def _input(value: Any, modules: Mapping[str, _Module]) -> Input:
    if value is None:
        return Input(b"None")
    if isinstance(value, Model):
        return Input(str(id(value.function)).encode())
    if isinstance(value, wire.Handle):
        module = modules.get(value.key, _Module())
        parts = [f"{name}={each.digest!r}" for name, each in sorted(module.given.items())]
        return Input(f"{module.identity}:{parts}".encode())
    numbers = numbers_in(value)
    return Input(digest_of(value), numbers, numbers.raw.shape if numbers else _shape(value))


def _shape(value: Any) -> tuple[int, ...]:
    """Return the shape of the first array in a value; () if there is none."""
    if isinstance(value, (tuple, list)):
        return next(filter(None, map(_shape, value)), ())
    return tuple(getattr(value, "shape", ()))


def _keys(request: Mapping[str, Any]) -> set[str]:
    """Return the keys of the modules that a request is about."""
    arguments = (*request.get("args", ()), *request.get("kwargs", {}).values())
    values = (request.get("target"), *arguments)
    return {value.key for value in values if isinstance(value, wire.Handle)}


def _pieces(replied: Sequence[_Replied]) -> dict[str, str]:
    """Return the results of a call by name, with the words for each; none if there is only one."""
    values = [value for call, *both in replied if not call.raised for value in both]
    names = {_names_in(value) for value in values}
    (common,) = names if len(names) == 1 else [()]
    if not 1 < len(common) <= MAX_PIECES:
        return {}
    if isinstance(values[0], dict):
        right = next(right for call, _, right in replied if not call.raised)
        return {name: f"`{name}`{_OF_THEM}" for name in right}
    many = {2: "two", 3: "three", 4: "four"}.get(len(common), str(len(common)))
    return {name: f"The {ordinal(n)} of your {many} results" for n, name in enumerate(common)}


def _names_in(value: Any) -> tuple[str, ...]:
    if isinstance(value, dict):
        return tuple(sorted(value)) if all(type(name) is str for name in value) else ()
    is_several = isinstance(value, tuple) or (isinstance(value, list) and not numbers_in(value))
    return tuple(map(str, range(len(value)))) if is_several else ()


def _part(call: Call, got: Any, right: Any, piece: str) -> ResultCase:
    """Return the case of one result of a call; of the only one if `piece` is empty."""
    if piece and call.raised:
        got = right = None
    elif piece:
        got, right = (x[piece] if isinstance(x, dict) else x[int(piece)] for x in (got, right))
    return ResultCase(call, piece, numbers_in(got), numbers_in(right))
