"""Exceptions of Python itself: values, calls, and names that don't exist."""

from __future__ import annotations

from autograder.testing.crashes.rule import Rule
from autograder.testing.crashes.spelling import attribute_like, builtin_like, modules_with

_ARGUMENTS = "Compare how the function is called with the names between its parentheses."
_UNPACKED = (
    "The number of names on the left of an assignment differs from the number of values on the "
    "right. How many axes, or results, do you expect there?"
)


def _meant_function(owner: str, name: str) -> str:
    return _did_you_mean(attribute_like(owner, name)) or "How does its documentation spell it?"


def _meant_attribute(owner: str, name: str) -> str:
    return _did_you_mean(attribute_like(owner, name))


def _meant_name(name: str) -> str:
    if modules := modules_with(name):
        return f"`{name}` is also the name of something in {_listed(modules)}: is a prefix missing?"
    return _did_you_mean(builtin_like(name)) or (
        f"Is `{name}` spelt the same where you define it? Is it perhaps defined only inside "
        "another function, or in a cell that raised an error?"
    )


def _did_you_mean(name: str) -> str:
    return f"Did you mean `{name}`?" if name else ""


def _listed(names: list[str]) -> str:
    *others, last = [f"`{name}`" for name in names]
    return f"{', '.join(others)} and {last}" if others else last


RULES = (
    Rule(
        "crash-none",
        r"NoneType",
        "A value is None where your code needs something else. Print what {line} uses: a function "
        "without `return`, and an optional argument that wasn't given, are both None.",
    ),
    Rule(
        "crash-missing-self",
        r"\w\.\w{1,60}\(\) takes (?:0 positional arguments but 1 was|1 positional argument but 2 "
        r"were|2 positional arguments but 3 were|3 positional arguments but 4 were|"
        r"4 positional arguments but 5 were|5 positional arguments but 6 were) given",
        "A method received one argument more than it accepts, and `self` counts as one. Is it the "
        "first parameter, and are all the others there?",
    ),
    Rule("crash-arguments", r"takes [\w ]{1,30} positional arguments? but \d{1,3} w", _ARGUMENTS),
    Rule(
        "crash-arguments",
        r"got an unexpected keyword argument '(?P<name>\w{1,60})'",
        "What is called here has no parameter `{name}`. How is it spelt where the function is "
        "defined?",
    ),
    Rule(
        "crash-arguments",
        r"missing \d{1,3} required positional arguments?: '(?P<name>\w{1,60})'",
        f"What is called here also needs `{{name}}`. {_ARGUMENTS}",
    ),
    Rule("crash-unpack", r"(too many|not enough) values to unpack", _UNPACKED),
    Rule("crash-unpack", r"cannot unpack non-iterable", _UNPACKED),
    Rule(
        "crash-super",
        r"before Module.__init__\(\) call|has no attribute '_(?:modules|parameters|buffers)'",
        "nn.Module prepares the place for layers in its own `__init__`. Which line of the given "
        "stub calls that, and does it come before your layers?",
    ),
    Rule(
        "crash-misspelt",
        r"module '(?P<owner>[\w.]{1,60})' has no attribute '(?P<name>\w{1,60})'",
        "`{owner}` has no `{name}`.",
        _meant_function,
    ),
    Rule(
        "crash-misspelt",
        r"'(?P<owner>[\w.]{1,60})' object has no attribute '(?P<name>\w{1,60})'",
        "This `{owner}` has no `{name}`.",
        _meant_attribute,
        needs_hint=True,
    ),
    Rule(
        "crash-attribute",
        r"'(?P<owner>[\w.]{1,60})' object has no attribute '(?P<name>\w{1,60})'",
        "This `{owner}` has no `{name}`. Is it the type of object that you expect? If you set "
        "`{name}` yourself, is it spelt the same there, and does that line run?",
    ),
    Rule(
        "crash-missing-self",
        r"name 'self' is not defined",
        "There is no `self` here. Is it the first parameter of the method in which {line} stands?",
    ),
    Rule(
        "crash-misspelt",
        r"name '(?P<name>\w{1,60})' is not defined",
        "There is no `{name}` here.",
        _meant_name,
    ),
    Rule(
        "crash-unset",
        r"local variable '(?P<name>\w{1,60})'",
        "`{name}` has no value yet when {line} asks for it. Is it set on every way through the "
        "function?",
    ),
    Rule(
        "crash-no-forward",
        r"missing the required \"forward\" function",
        "Your class has no method `forward` that PyTorch finds. How is it spelt, and how far is it "
        "indented?",
    ),
    Rule(
        "crash-not-callable",
        r"'(?P<kind>[\w.]{1,60})' object is not callable",
        "Parentheses follow something that is no function but a `{kind}`. Does a variable have a "
        "function's name, or is an operator missing before the parenthesis?",
    ),
    Rule(
        "crash-operands",
        r"unsupported operand type\(s\) for [^:]{1,12}: '(?P<a>[\w.]{1,60})' and "
        r"'(?P<b>[\w.]{1,60})'",
        "A `{a}` and a `{b}` can't be combined like this. Which of the two is not what you expect?",
    ),
    Rule(
        "crash-recursion",
        r"maximum recursion depth",
        "A function calls itself too often. Which condition should end the recursion?",
    ),
)
