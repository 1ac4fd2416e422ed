"""Explain common exceptions of NumPy, PyTorch and Python to the student, by their texts.

A text comes from the student's process. Only a beginning of it is looked at, by patterns whose
every repetition is bounded; an explanation quotes nothing from it but the sizes and names that its
rule captures. Names that were probably meant are those of the grader's own libraries: nothing is
looked up in the student's process.
"""

import builtins
import importlib
import re
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import ModuleType

import numpy as np

MAX_EXPLAINED = 500  # characters of an exception's text that are looked at
_MODULES = ("math", "numpy", "scipy.special", "torch", "torch.nn", "torch.nn.functional")
_SHORT = {"np": "numpy", "F": "torch.nn.functional", "nn": "torch.nn"}
_LIKENESS = 0.8  # of two names, from 0 to 1: one letter in five may differ


@dataclass(frozen=True)
class Explanation:
    """What an exception means; `tag` is the same for all exceptions of one kind."""

    tag: str
    meaning: str


_INNER = (
    "In a matrix product the last size on the left must be the last but one on the right; here "
    "{a} meets {b}. Print both shapes just before {line}: which axes should meet?"
)
_UNFIT = "These shapes don't fit: ({a}) and ({b}). Print both just before {line}."
_LAID_OUT = (
    "{n} numbers can't be laid out in the shape ({shape}), which must hold exactly as many. Which "
    "of its sizes is not what you expected?"
)
_AXES = "Print the shape just before {line}: how many axes do you expect?"
_NOT_FOR = (
    "PyTorch can't do this with numbers of dtype {dtype}. Print the dtypes just before {line}: "
    "which one did you not expect?"
)
_ARGUMENTS = "Compare how the function is called with the names between its parentheses."


def _no_function(owner: str, name: str, is_told: bool) -> str:
    hint = _attribute_like(owner, name) or "How does its documentation spell it?"
    return f"`{owner}` has no `{name}`." if is_told else f"`{owner}` has no `{name}`. {hint}"


def _no_attribute(owner: str, name: str, is_told: bool) -> str:
    hint = "" if is_told else _attribute_like(owner, name)
    return f"This `{owner}` has no `{name}`. {hint}".rstrip() if is_told or hint else ""


def _no_name(name: str, is_told: bool) -> str:
    used = [each for each in ("math", "numpy", "torch") if each in sys.modules]
    if having := [each for each in used if hasattr(sys.modules[each], name)]:
        *others, last = [f"`{each}`" for each in having]
        modules = f"{', '.join(others)} and {last}" if others else last
        hint = f"`{name}` is also the name of something in {modules}: is a prefix missing?"
    else:
        hint = _did_you_mean(name, dir(builtins)) or (
            f"Is `{name}` spelt the same where you define it? Is it perhaps defined only inside "
            "another function, or in a cell that raised an error?"
        )
    return f"There is no `{name}` here." if is_told else f"There is no `{name}` here. {hint}"


def _attribute_like(owner: str, name: str) -> str:
    found = _module(owner) or _type(owner)
    return _did_you_mean(name, dir(found)) if found else ""


def _module(name: str) -> ModuleType | None:
    name = _SHORT.get(name, name)
    try:
        return importlib.import_module(name) if name in _MODULES else None
    except ImportError:  # a course needn't have all of them
        return None


def _type(name: str) -> type | None:
    """Return the type of which Python speaks as `name`, as in "'list' object has no …"."""
    if name == "numpy.ndarray":
        return np.ndarray
    if name == "Tensor" and (torch := _module("torch")):
        return type(torch.empty(0))
    found = getattr(builtins, name, None)
    return found if isinstance(found, type) else None


def _did_you_mean(name: str, names: Collection[str]) -> str:
    """Ask for the public name most like `name`: with other capitals, else with other letters."""
    public = [each for each in names if not each.startswith("_") and each != name]
    same_letters = [each for each in public if each.lower() == name.lower()]
    found = same_letters or get_close_matches(name, public, 1, _LIKENESS)
    return f"Did you mean `{found[0]}`?" if found else ""


# By tag, patterns and what an exception means whose text matches: the first that fits explains it.
# In a meaning, `{name}` is a group of the pattern, and `{line}` the line that raised. A function
# makes the meaning of the groups; if it returns "", another pattern explains the exception.
RULES: Mapping[str, Mapping[str, str | Callable[..., str]]] = {
    "crash-shapes": {
        r"size (?P<b>\d{1,9}) is different from (?P<a>\d{1,9})\)": _INNER,
        r"not aligned: (?P<a>\d{1,9}) \(dim \d\) != (?P<b>\d{1,9})": _INNER,
        r"cannot be multiplied \(\d{1,9}x(?P<a>\d{1,9}) and (?P<b>\d{1,9})x\d{1,9}\)": _INNER,
        r"batch2 tensor to be: \[(?P<a>[\d, ]{1,40})\] but got: \[(?P<b>[\d, ]{1,40})\]": (
            "In a product of two stacks of matrices, the shape of the second should begin with "
            "({a}), but it begins with ({b}). Print both shapes just before {line}."
        ),
        r"normalized_shape=\[(?P<a>[\d, ]{1,40})\], expected input with shape .{1,60}? but got "
        r"input of size\[(?P<b>[\d, ]{1,80})\]": (
            "The norm was made for last axes of ({a}), and gets the shape ({b}). Which of the two "
            "is not what you expected?"
        ),
        r"attn_mask is torch\.Size\(\[(?P<a>[\d, ]{1,60})\]\), but should be "
        r"\((?P<b>[\d, ]{1,60})\)": (
            "The attention mask has the shape ({a}), and ({b}) is needed. Print both just before "
            "{line}: from which sizes is the mask made?"
        ),
        r"Padding size should be less than the corresponding input dimension": (
            "More is padded on here than this kind of padding has numbers for. Print the shape "
            "just before {line}: how long is the axis, and how much is added?"
        ),
        r"Sizes of tensors must match except in dimension|dimensions except for the "
        r"concatenation axis must match": (
            "Arrays that are joined must have the same sizes along every other axis. Print their "
            "shapes just before {line}."
        ),
    },
    "crash-broadcast": {
        r"not be broadcast together with (?:remapped )?shapes (?:\[original->remapped\]: )?"
        r"\((?P<a>[\d,]{0,60})\)(?:->\([\w,]{0,60}\))? \((?P<b>[\d,]{0,60})\)": _UNFIT,
        r"broadcast input array from shape \((?P<a>[\d,]{0,60})\) into shape "
        r"\((?P<b>[\d,]{0,60})\)": _UNFIT,
        r"size of tensor a \((?P<a>\d{1,9})\) must match the size of tensor b "
        r"\((?P<b>\d{1,9})\) at non-singleton dimension (?P<axis>\d{1,9})": (
            "These two don't fit: along axis {axis} a size of {a} meets {b}, and only a size of 1 "
            "is stretched. Print both shapes just before {line}."
        ),
        r"expanded size of the tensor \((?P<a>\d{1,9})\) must match the existing size "
        r"\((?P<b>\d{1,9})\)": (
            "A size of {b} can't be stretched to {a}; only a size of 1 can. Print both shapes just "
            "before {line}."
        ),
    },
    "crash-reshape": {
        r"cannot reshape array of size (?P<n>\d{1,12}) into shape \((?P<shape>[-\d,]{0,60})\)": (
            _LAID_OUT
        ),
        r"shape '\[(?P<shape>[-\d, ]{0,60})\]' is invalid for input of size (?P<n>\d{1,12})": (
            _LAID_OUT
        ),
        r"view size is not compatible": (
            "`view` needs the numbers to lie in memory in the order of the axes, which a "
            "transpose, for example, changes; `reshape` copies them if necessary."
        ),
    },
    "crash-axis": {
        r"axis (?P<axis>-?\d{1,9}) is out of bounds for array of dimension (?P<n>\d{1,9})": (
            f"Your code uses axis {{axis}}, but the number of axes is {{n}}, counted from 0. "
            f"{_AXES}"
        ),
        r"Dimension out of range [^\n]{0,80}but got (?P<axis>-?\d{1,9})": (
            f"Your code uses axis {{axis}}, which this tensor doesn't have. {_AXES}"
        ),
        r"axes don't match array|number of dimensions in the tensor input does not match": _AXES,
    },
    "crash-index": {
        r"index out of range in self": (
            "An embedding was asked for a token, or a position, that it doesn't have. For which "
            "vocabulary, or length, was it made?"
        ),
        r"index (?P<at>-?\d{1,12}) is out of bounds for (?:axis|dimension) (?P<axis>\d{1,3}) "
        r"with size (?P<n>\d{1,12})": (
            "Along axis {axis} there are {n} entries, counted from 0, and your code asks for "
            "number {at}. Where does that number come from?"
        ),
        r"(?:list|tuple) index out of range": (
            "Your code asks for an entry beyond the end of a list or tuple. How long is it just "
            "before {line}?"
        ),
        r"too many indices for (?:array|tensor)": f"An index too many. {_AXES}",
        r"invalid index (?:to scalar variable|of a 0-dim tensor)": (
            f"An index for a single number, which has no axis. {_AXES}"
        ),
    },
    "crash-dtype": {
        r"have the same dtype|expected scalar type": (
            "Two tensors of different dtypes are combined. Which of them has a dtype that you "
            "didn't expect?"
        ),
        r"not implemented for '(?P<dtype>\w{1,20})'": _NOT_FOR,
        r"complex dtype\. Got: (?P<dtype>\w{1,20})": _NOT_FOR,
        r"only supports boolean masks": (
            "The mask here holds numbers, not booleans. What makes True and False of them?"
        ),
    },
    "crash-scalar": {
        r"only (length-1|0-dimensional|integer scalar) arrays can be converted": (
            "A whole array stands where a single number is needed; the functions in `math`, for "
            "example, take one number at a time."
        ),
    },
    "crash-gradient": {
        r"Can't call numpy\(\) on Tensor that requires grad": (
            "This tensor takes part in learning, and in NumPy its gradient would be lost. Which "
            "function of PyTorch does what you need there?"
        ),
        r"does not require grad and does not have a grad_fn": (
            "Nothing that could learn is connected with what `backward` starts from. Where on the "
            "way is the connection lost: at a plain number, in NumPy, at a `detach`, under "
            "`no_grad`?"
        ),
        r"leaf Variable that requires grad is being used in an in-place operation": (
            "A parameter can't be changed in place while gradients are recorded."
        ),
        r"backward through the graph a second time": (
            "`backward` ran twice through the same computation. Which tensor is still the one "
            "from the step before?"
        ),
        r"modified by an inplace operation": (
            "A tensor that the gradient needs was overwritten. Which line writes into a tensor "
            "instead of making a new one?"
        ),
    },
    "crash-none": {
        r"NoneType": (
            "A value is None where your code needs something else. Print what {line} uses: a "
            "function without `return`, and an optional argument that wasn't given, are both None."
        ),
    },
    "crash-missing-self": {
        (
            r"\w\.\w{1,60}\(\) takes (?:0 positional arguments but 1 was|1 positional argument "
            r"but 2 were|2 positional arguments but 3 were|3 positional arguments but 4 were|4 "
            r"positional arguments but 5 were|5 positional arguments but 6 were) given"
        ): (
            "A method received one argument more than it accepts, and `self` counts as one. Is it "
            "the first parameter, and are all the others there?"
        ),
        r"name 'self' is not defined": (
            "There is no `self` here. Is it the first parameter of the method in which {line} "
            "stands?"
        ),
    },
    "crash-arguments": {
        r"takes [\w ]{1,30} positional arguments? but \d{1,3} w": _ARGUMENTS,
        r"got an unexpected keyword argument '(?P<name>\w{1,60})'": (
            "What is called here has no parameter `{name}`. How is it spelt where the function is "
            "defined?"
        ),
        r"missing \d{1,3} required positional arguments?: '(?P<name>\w{1,60})'": (
            f"What is called here also needs `{{name}}`. {_ARGUMENTS}"
        ),
    },
    "crash-unpack": {
        r"(too many|not enough) values to unpack|cannot unpack non-iterable": (
            "The number of names on the left of an assignment differs from the number of values "
            "on the right. How many axes, or results, do you expect there?"
        ),
    },
    "crash-super": {
        r"before Module.__init__\(\) call|has no attribute '_(?:modules|parameters|buffers)'": (
            "nn.Module prepares the place for layers in its own `__init__`. Which line of the "
            "given stub calls that, and does it come before your layers?"
        ),
    },
    "crash-misspelt": {
        r"module '(?P<owner>[\w.]{1,60})' has no attribute '(?P<name>\w{1,60})'": _no_function,
        r"'(?P<owner>[\w.]{1,60})' object has no attribute '(?P<name>\w{1,60})'": _no_attribute,
        r"name '(?P<name>\w{1,60})' is not defined": _no_name,
    },
    "crash-attribute": {
        r"'(?P<owner>[\w.]{1,60})' object has no attribute '(?P<name>\w{1,60})'": (
            "This `{owner}` has no `{name}`. Is it the type of object that you expect? If you set "
            "`{name}` yourself, is it spelt the same there, and does that line run?"
        ),
    },
    "crash-unset": {
        r"local variable '(?P<name>\w{1,60})'": (
            "`{name}` has no value yet when {line} asks for it. Is it set on every way through the "
            "function?"
        ),
    },
    "crash-no-forward": {
        r"missing the required \"forward\" function": (
            "Your class has no method `forward` that PyTorch finds. How is it spelt, and how far "
            "is it indented?"
        ),
    },
    "crash-not-callable": {
        r"'(?P<kind>[\w.]{1,60})' object is not callable": (
            "Parentheses follow something that is no function but a `{kind}`. Does a variable "
            "have a function's name, or is an operator missing before the parenthesis?"
        ),
    },
    "crash-operands": {
        r"unsupported operand type\(s\) for [^:]{1,12}: '(?P<a>[\w.]{1,60})' and "
        r"'(?P<b>[\w.]{1,60})'": (
            "A `{a}` and a `{b}` can't be combined like this. Which of the two is not what you "
            "expect?"
        ),
    },
    "crash-recursion": {
        r"maximum recursion depth": (
            "A function calls itself too often. Which condition should end the recursion?"
        ),
    },
}


def explain(text: str, line: str = "") -> Explanation | None:
    """Return the explanation of an exception with this text, or None; `line` is where it was."""
    for tag, meanings in RULES.items():
        for pattern, meaning in meanings.items():
            found = re.search(pattern, text[:MAX_EXPLAINED])
            if found is None:
                continue
            # the sizes of a shape as Python writes them, (2, 3), where NumPy's errors have (2,3)
            groups = {k: re.sub(r",(?=\d)", ", ", v or "") for k, v in found.groupdict().items()}
            if callable(meaning):
                said = meaning(**groups, is_told="Did you mean" in text)
            else:
                said = meaning.format(**groups, line=line or "that line")
            if said:
                return Explanation(tag, said)
    return None
