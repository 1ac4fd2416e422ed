"""Runs cells and carries out calls inside the student's process.

A request asks for one operation, and may bring others that return nothing and come `before` it; the
first that raises ends them. These are all operations that cross the boundary:

    run         a cell's source                        → its output, and its error if it raised
    defined     names                                  → those that are defined and callable
    call        a name and arguments                   → the result, as plain data; a module, or
                                                         an object if one is asked for, stays
                                                         here, under the requested key, and the
                                                         reply has a module's parameters' shapes
    method      an object, a name and arguments        → likewise
    forward     a module and arguments                 → the result of calling it, without gradients
    gradients   a module, arguments and a cotangent    → each parameter's gradient, and on request
                                                         that of each argument
    load        a module and arrays by dotted name     → sets its parameters
    parameters  a module                               → the shape of each parameter, by name
    mode        a module and a bool                    → switches to train mode or eval mode
    state       a module                               → each parameter, by name
    guard       dotted names                           → these can be forbidden from now on
    stand_in    a name, and whether it is a module's   → the grader answers calls of this one

An argument may be a module that an earlier call returned, or one that the grader lends. While a
call runs, lent modules and stand-ins may call back to the grader; nothing else may. What a call or
method does besides returning can be asked for in place of its result: see `effects`.

The student's code can change anything in this process, so the grader trusts no reply: it treats
replies as data. What it prints and raises is sent as text of bounded length.

A guard stands before a built-in that an exercise forbids, and raises on demand. It is installed
before the student's cells run, so that `from … import …` binds it as well. A student can extract
the original from it: it is a reminder, not a security measure.

A stand-in replaces a wrong earlier answer as soon as that has run, so that a mistake costs its
marks once: it passes each call on to the grader and returns the grader's result. If that is a
module, it is rebuilt here with parameters of the same names, so that hidden tests can set them and
a student's loop can train them.
"""

import contextlib
import importlib
import json
import math
import random
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import count
from typing import Any

import numpy.random  # which NumPy itself imports when it is first used: too late for a fork

from autograder.sandbox import wire
from autograder.sandbox.guest.effects import BoundedText, redirected, watching

MAX_CALLERS = 20  # that are named in the description of an error
_TIMED = "<timed exec>"  # a cell below `%%time`, whose lines IPython counts from the second one


# Sends a request to the grader and returns the value of its reply; raises if that is an error.
CallBack = Callable[[Mapping[str, Any]], Any]
RunCell = Callable[[str], BaseException | None]  # returns the exception that a cell raised, if any


class MissingParameter(LookupError):
    """A parameter that the exercise asks for is missing or has another shape."""


class Runner:
    def __init__(self, run_cell: RunCell, names: dict[str, Any]) -> None:
        """Run cells by `run_cell`, which binds `names`."""
        self._run_cell, self._names = run_cell, names
        self._objects: dict[str, Any] = {}
        self.guards = Guards()
        self.call_back: CallBack  # set by those who lend models, or want stand-ins
        self._keys = count()  # of what stand-ins make
        self._operations: dict[str, Callable[..., Any]] = {
            "run": self._run,
            "defined": lambda names: {
                "value": [name for name in names if callable(self._names.get(name))]
            },
            "call": self._call,
            "method": self._method,
            "forward": self._forward,
            "gradients": self._gradients,
            "load": self._load,
            "parameters": lambda target: {"value": _shapes(self._objects[target.key])},
            "state": self._state,
            "mode": self._mode,
            "stand_in": self._stand_in,
            "guard": self.guards.install,
        }

    def answer(self, request: dict[str, Any]) -> wire.Frame:
        """Return the reply's frame; it says `at` which place a request that comes before raised."""
        number, before = request.pop("number", 0), request.pop("before", ())
        output, place = BoundedText(), {}
        try:
            with redirected(output):
                for at, each in enumerate(before):
                    place = {"at": at}
                    self._carry_out(**each)
                place = {}
                reply = self._carry_out(**request)
                return wire.Frame.of(reply | {"output": output.getvalue(), "number": number})
        except BaseException as error:  # SystemExit must not end this process, only the call
            reply = {"error": described(error), "output": output.getvalue()}
            return wire.Frame.of(reply | place | {"number": number})

    def _carry_out(
        self, op: str, seed: int = 0, forbid: Iterable[str] = (), **request: Any
    ) -> dict[str, Any]:
        random.seed(seed)
        numpy.random.seed(seed % 2**32)
        if (torch := sys.modules.get("torch")) is not None:
            torch.default_generator.manual_seed(seed)  # `torch.manual_seed` takes ten times as long
        with self.guards.forbidding(forbid):
            return self._operations[op](**request) or {}

    def _run(self, source: str, plain: bool = False) -> dict[str, Any]:
        """Run a cell; one that is `plain` Python without what IPython does, which takes longer."""
        if plain:
            exec(compile(source, "<cell>", "exec"), self._names)
            return {}
        error = self._run_cell(source)
        return {} if error is None else {"error": described(error)}

    def _call(self, name: str, **request: Any) -> dict[str, Any]:
        if name not in self._names:
            raise NameError(f"name '{name}' is not defined")
        return self._result_of(self._names[name], **request)

    def _method(self, target: wire.Object, name: str, **request: Any) -> dict[str, Any]:
        return self._result_of(getattr(self._objects[target.key], name), **request)

    def _result_of(
        self,
        function: Callable[..., Any],
        args: list[Any],
        kwargs: dict[str, Any],
        key: str = "",
        effect: str = "",
    ) -> dict[str, Any]:
        before = wire.encoded([args, kwargs])
        with watching(effect, [*args, *kwargs.values()]) as seen:
            resolved = [self._resolved(value) for value in args]
            resolved_kwargs = {word: self._resolved(value) for word, value in kwargs.items()}
            value = seen(function(*resolved, **resolved_kwargs))
        result = {"value": value, "changed": wire.encoded([args, kwargs]) != before}
        torch = sys.modules.get("torch")  # if torch was never imported, nothing is a module
        if torch is not None and isinstance(value, torch.nn.Module):
            self._objects[key] = value
            handle = wire.Handle(key, type(value).__name__)
            return result | {"value": handle, "parameters": _shapes_to_send(value)}
        if effect == "object":
            self._objects[key] = value
            result["value"] = wire.Object(key, type(value).__name__)
        return result

    def _resolved(self, argument: Any) -> Any:
        match argument:
            case wire.Object():
                return self._objects[argument.key]
            case wire.Handle():
                own = self._objects.get(argument.key)
                return module_of(argument, self.call_back) if own is None else own
            case wire.Stream():
                return iter(argument.items)
            case wire.Generator():
                generator = numpy.random.default_rng()
                generator.bit_generator.state = json.loads(argument.state)
                return generator
            case wire.TextFile():
                return argument.name
        return argument

    def _forward(
        self, target: wire.Handle, args: list[Any], kwargs: dict[str, Any]
    ) -> dict[str, Any]:
        import torch

        before = wire.encoded([args, kwargs])
        with torch.no_grad():
            value = self._objects[target.key](*args, **kwargs)
        return {"value": value, "changed": wire.encoded([args, kwargs]) != before}

    def _gradients(
        self,
        target: wire.Handle,
        args: list[Any],
        kwargs: dict[str, Any],
        cotangent: Any,
        inputs: bool = False,
    ) -> dict[str, Any]:
        import torch

        module = self._objects[target.key]
        module.zero_grad(set_to_none=True)
        if inputs:
            args = [_leaf(value) for value in args]
            kwargs = {name: _leaf(value) for name, value in kwargs.items()}
        with torch.enable_grad():  # autograd disables gradients inside a backward pass
            output = module(*args, **kwargs)
            first = output[0] if isinstance(output, (tuple, list)) else output
            loss = (first * cotangent).sum()
            if loss.requires_grad:  # else nothing reaches any parameter: each gradient is None
                loss.backward()
        input_gradients = [getattr(value, "grad", None) for value in (*args, *kwargs.values())]
        trainable = [each for each in module.named_parameters() if each[1].requires_grad]
        gradients = {name: value.grad for name, value in trainable}
        return {"value": {"parameters": gradients, "inputs": input_gradients}}

    def _state(self, target: wire.Handle) -> dict[str, Any]:
        """Return each parameter under each of its names: a layer may have two."""
        module = self._objects[target.key]
        return {"value": dict(module.named_parameters(remove_duplicate=False))}

    def _load(self, target: wire.Handle, state: dict[str, Any]) -> None:
        import torch

        module = self._objects[target.key]
        with torch.no_grad():
            for name, value in state.items():
                _parameter(module, name, tuple(value.shape)).copy_(value)

    def _mode(self, target: wire.Handle, train: bool) -> None:
        self._objects[target.key].train(train)

    def _stand_in(self, name: str, is_module: bool) -> None:
        """Let the grader answer calls of what is bound to `name`, there and under other names."""
        original = self._names.get(name)
        others = [each for each, value in self._names.items() if value is original]
        stand_in = self._module_for(name) if is_module else self._function_for(name)
        names = (name, *others) if callable(original) else (name,)
        self._names.update(dict.fromkeys(names, stand_in))

    def _answer_of_grader(self, name: str, *args: Any, **kwargs: Any) -> Any:
        request = {"op": "call", "name": name, "args": list(args), "kwargs": kwargs}
        return self.call_back(request | {"key": f"{name}-{next(self._keys)}"})

    def _function_for(self, name: str) -> Callable[..., Any]:
        def stand_in(*args: Any, **kwargs: Any) -> Any:
            value = self._answer_of_grader(name, *args, **kwargs)
            return module_of(value, self.call_back) if isinstance(value, wire.Handle) else value

        return stand_in

    def _module_for(self, name: str) -> type:
        """Return a class, which a student's own may be derived from."""
        from autograder.sandbox.guest.remote_module import RemoteModule

        def init(module: RemoteModule, *args: Any, **kwargs: Any) -> None:
            target = self._answer_of_grader(name, *args, **kwargs)
            RemoteModule.__init__(module, target, self.call_back)

        return type(name, (RemoteModule,), {"__init__": init})


def _shapes(module: Any) -> dict[str, tuple[int, ...]]:
    return {name: tuple(value.shape) for name, value in module.named_parameters()}


def _shapes_to_send(module: Any) -> dict[str, tuple[int, ...]]:
    try:
        shapes = _shapes(module)
    except Exception:  # lazy layers have none yet
        return {}
    entries = sum(math.prod(shape) for shape in shapes.values())
    return shapes if len(shapes) <= wire.MAX_ITEMS and entries <= wire.MAX_ENTRIES else {}


def _parameter(module: Any, name: str, shape: tuple[int, ...]) -> Any:
    import torch

    value, path, owner = module, name.split("."), f"`{type(module).__name__}`"
    for done, part in enumerate(path):
        if isinstance(value, (list, tuple, dict)):
            plain = f"`{'.'.join(path[:done])}` is a plain {type(value).__name__}"
            raise MissingParameter(f"In {owner}, {plain}; PyTorch doesn't see the modules in it")
        value = getattr(value, part, None)
        if value is None:
            missing = ".".join(path[: done + 1])
            raise MissingParameter(f"{owner} has no `{missing}`: name it as the exercise says")
    if not isinstance(value, torch.Tensor):
        found = type(value).__name__
        raise MissingParameter(f"In {owner}, `{name}` is a {found}, not a parameter")
    if tuple(value.shape) != shape:
        raise MissingParameter(f"In {owner}, `{name}` has shape {tuple(value.shape)}, not {shape}")
    return value


def _leaf(value: Any) -> Any:
    """Return an argument, with gradients enabled if it is a floating-point tensor."""
    floating = hasattr(value, "is_floating_point") and value.is_floating_point()
    return value.requires_grad_() if floating else value


def described(error: BaseException) -> dict[str, Any]:
    """Return an error as plain data: its type and bases, its text, and where it was raised.

    `function` is the student's function or class that raised it, `line` the line in its cell, and
    `callers` are the functions and classes of the student's on the way there, outermost first.
    """
    own = [
        (frame.f_code.co_qualname.partition(".")[0], None if file == _TIMED else line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if (file := frame.f_code.co_filename).startswith(("<ipython-input", "<cell", _TIMED))
    ]
    function, line = own[-1] if own else (None, getattr(error, "lineno", None))
    try:
        message = str(error.msg if isinstance(error, SyntaxError) else error)
    except Exception:  # a student's own exception class may fail to convert to text
        message = ""
    return {
        "type": type(error).__name__,
        "bases": [base.__name__ for base in type(error).__mro__],
        "message": message[:1000],
        "line": line,
        "function": function,
        "callers": list(dict.fromkeys(caller for caller, _ in own[:-1]))[:MAX_CALLERS],
    }


class Forbidden(RuntimeError):
    """A built-in that the exercise forbids was called."""


class Guards:
    """Guards on dotted names, such as `torch.nn.Linear.__init__`."""

    def __init__(self) -> None:
        self._forbidden: frozenset[str] = frozenset()
        self._originals: list[tuple[Any, str, Any]] = []

    def install(self, names: Iterable[str]) -> None:
        """Replace the object at each dotted name by a function that can be made to raise."""
        for name in names:
            *path, attribute = name.split(".")
            owner: Any = importlib.import_module(path[0])
            for part in path[1:]:
                owner = getattr(owner, part)
            original = getattr(owner, attribute)
            self._originals.append((owner, attribute, original))
            setattr(owner, attribute, self._guarded(name, original))

    @contextlib.contextmanager
    def forbidding(self, names: Iterable[str]) -> Iterator[None]:
        self._forbidden = frozenset(names)
        try:
            yield
        finally:
            self._forbidden = frozenset()

    def remove(self) -> None:
        while self._originals:
            setattr(*self._originals.pop())

    def _guarded(self, name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def guarded(*args: Any, **kwargs: Any) -> Any:
            if name in self._forbidden:
                raise Forbidden(f"{name.removesuffix('.__init__')} is not allowed in this exercise")
            return original(*args, **kwargs)

        return guarded


def module_of(target: wire.Handle, call_back: CallBack) -> Any:
    """Return a module that stands for the grader's module `target`, with its class name.

    Students read that name in error messages. Where the notebook has no torch, it is a function.
    """
    if "torch" in sys.modules:
        # Where the student alone has imported it, our file can't be read any more.
        with contextlib.suppress(ImportError):
            from autograder.sandbox.guest.remote_module import RemoteModule

            called = target.type_name if target.type_name.isidentifier() else "Module"
            return type(called, (RemoteModule,), {})(target, call_back)
    return partial(_called_there, target, call_back)


def _called_there(target: wire.Handle, call_back: CallBack, /, *args: Any, **kwargs: Any) -> Any:
    return call_back({"op": "forward", "target": target, "args": list(args), "kwargs": kwargs})
