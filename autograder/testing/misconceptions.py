"""The bank of misconceptions: named wrong variants of an exercise, each with its message.

Most variants are a small edit of a reference answer (`/ (n - 1)` → `/ n`), so that the mistake is
visible at a glance and two mistakes can be combined; a mistake that no edit can express is a whole
answer of its own. Each variant has three uses: to name a student's mistake, to test the hidden
tests, and to tell an instructor what a class has misunderstood.

Some mistakes can be made in any exercise, so every bank has them. Each is made of the bank's
REFERENCE: by a wrapper around the function, or around the `forward` of the class, or by a change of
its text. Those that can't be made of it are left out, and so are those that a bank lists in
NOT_MISTAKES. The tag is `<prefix>-<name>`; the prefix is the exercise's name (`LayerNorm` →
`layer-norm`) unless the bank says PREFIX. A variant of the bank's with the same tag is preferred.

No library of arrays is imported here: a wrapper works on whatever has the methods it calls.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations

from autograder.errors import CourseError


@dataclass(frozen=True)
class Variant:
    """One way to get an exercise wrong.

    `tag` names it, `description` is a line for the instructor, `message` is for the student: fact,
    contrast, hint, and never the answer. `edits` maps texts in the reference to the texts that
    replace every occurrence of them, one after the other. Where no edit of the reference expresses
    the mistake, `source` is a whole answer, wrong by itself or once `edits` are made in it. Those
    with `pairs=True` are also tried two at a time: say it where a student may well make the mistake
    beside another one, and only there, because each pair costs time in every diagnosis.
    """

    tag: str
    description: str
    message: str
    edits: Mapping[str, str] = field(default_factory=dict)
    source: str = ""
    pairs: bool = False

    def of(self, reference: str) -> str | None:
        """Return the wrong answer, or None if `reference` lacks a text that the edits replace."""
        wrong, missing = self._edited(reference)
        return wrong if missing is None else None

    def checked(self, exercise: str, reference: str) -> str:
        """Return the wrong answer; raise a `CourseError` if the edits miss, or change nothing."""
        wrong, missing = self._edited(reference)
        if missing is not None:
            raise CourseError(
                f"{exercise}: the misconception {self.tag} edits {missing!r}, which isn't in "
                f"{'its source' if self.source else 'REFERENCE'}: correct its edits."
            )
        if wrong == reference:
            raise CourseError(
                f"{exercise}: the misconception {self.tag} leaves REFERENCE as it is, and so "
                "would be a right answer: correct its edits."
            )
        return wrong

    def _edited(self, reference: str) -> tuple[str, str | None]:
        """Return the wrong answer, and the text that was to be edited and isn't there, if any."""
        wrong = self.source or reference
        for old, new in self.edits.items():
            if old not in wrong:
                return wrong, old
            wrong = wrong.replace(old, new)
        return wrong, None


@dataclass(frozen=True)
class Candidate:
    """An answer, and the misconceptions in it: none, one or two."""

    variants: tuple[Variant, ...]
    source: str


@dataclass(frozen=True)
class Bank:
    """The reference answer of one exercise, and the known ways to get it wrong."""

    exercise: str
    reference: str
    variants: tuple[Variant, ...]

    def singles(self) -> Iterator[Candidate]:
        for variant in self.variants:
            yield Candidate((variant,), variant.checked(self.exercise, self.reference))

    def pairs(self) -> Iterator[Candidate]:
        """Yield each pair of variants that can be combined: those that edit different places."""
        edits = [v for v in self.variants if v.pairs and v.edits]
        for first, second in combinations(edits, 2):
            once = first.of(self.reference)
            twice = second.of(once) if once else None
            other = second.of(self.reference)
            if twice is not None and other is not None and first.of(other) == twice:
                yield Candidate((first, second), twice)


# A result may hold arrays in tuples, lists and dictionaries: each is changed on its own.
_WRAPPER = """

def _made_wrong(right):
    def change(value):
        if isinstance(value, dict):
            return {{key: change(each) for key, each in value.items()}}
        if isinstance(value, (list, tuple)):
            return type(value)([change(each) for each in value])
        return {change}

    def wrong(*args, **kwargs):
        result = right(*args, **kwargs)
        return {result}

    return wrong


{function} = _made_wrong({function})
"""
_IS_TORCH = re.compile(r"\b(torch|nn|F)\.\w")
_LAYER_WITH_WEIGHTS = re.compile(
    r"\bself\.(\w+) = nn\.(?:Conv|Embedding|GRU|LSTM|LayerNorm|Linear|Module|Multihead|Parameter)"
)
_NO_BIAS = re.compile(r"\bnn\.Linear\(((?:(?!bias)[^()])*)\)")
_SUPER = re.compile(r"^ *super\(\)\.__init__\(\)\n", re.MULTILINE)
_ROUNDED = (
    '(value.round(decimals={0}) if "float" in str(getattr(value, "dtype", "")) else '
    "round(value, {0}) if isinstance(value, float) else value)"
)


@dataclass(frozen=True)
class _Reference:
    source: str
    exercise: str
    is_module: bool  # a class with a `forward`, else a function

    @classmethod
    def of(cls, exercise: str, source: str) -> _Reference | None:
        """Read `source`; None if it defines neither such a class nor a function."""
        try:
            statements = ast.parse(source).body
        except SyntaxError as error:
            raise CourseError(f"{exercise}: REFERENCE is no Python: {error}.") from None
        for node in statements:
            match node:
                case ast.FunctionDef(name=name) if name == exercise:
                    return cls(source, exercise, is_module=False)
                case ast.ClassDef(name=name, body=body) if name == exercise:
                    methods = [each.name for each in body if isinstance(each, ast.FunctionDef)]
                    return cls(source, exercise, is_module=True) if "forward" in methods else None
        return None

    @property
    def is_torch(self) -> bool:
        return bool(_IS_TORCH.search(self.source)) and "np." not in self.source

    @property
    def layer(self) -> str:
        found = _LAYER_WITH_WEIGHTS.search(self.source)
        return found[1] if found and self.is_module else ""

    def wrapped(self, change: str = "value", result: str = "change(result)") -> str:
        """Return the source with a wrapper that returns `result`; `change` is of one `value`."""
        function = f"{self.exercise}.forward" if self.is_module else self.exercise
        return self.source + _WRAPPER.format(change=change, result=result, function=function)


@dataclass(frozen=True)
class _Common:
    """A mistake; `make` returns the wrong answer, or nothing where it can't be made.

    In its words {function}, {array} and {layer} stand for what the exercise has of them.
    """

    name: str
    description: str
    message: str
    make: Callable[[_Reference], str]


def _drawn_anew(right: _Reference) -> str:
    if not (right.is_module and right.is_torch) or "nn.Dropout(" in right.source:
        return ""
    return right.wrapped("value + value.clone().uniform_()")


def _dropout_in_eval_mode(right: _Reference) -> str:
    if not right.is_module or "nn.Dropout(" not in right.source:
        return ""
    change = "value * (value.clone().uniform_() > 0.1) / 0.9"
    return right.wrapped(change, "result if args[0].training else change(result)")


_COMMON = (
    _Common(
        "nothing-returned",
        "Computes, perhaps prints, but returns nothing",
        "{function} gives nothing back: its caller gets None. Printing a result only shows it to "
        "you; one statement alone hands it to the caller. Is it there on every way through, "
        "outside any `if`, and does a value stand after it?",
        lambda right: right.wrapped(result="None"),
    ),
    _Common(
        "rounded",
        "Rounds what is returned to three decimals",
        "You round what you return. That is pleasant to read, but all that is computed from it "
        "lacks the other digits. Rounding is for printing.",
        lambda right: right.wrapped(_ROUNDED.format(3)),
    ),
    _Common(
        "rounded-coarsely",
        "Rounds what is returned to two decimals",
        "You round what you return to a few decimals. That is pleasant to read, but all that is "
        "computed from it lacks the other digits. Rounding is for printing.",
        lambda right: right.wrapped(_ROUNDED.format(2)),
    ),
    _Common(
        "plain-list",
        "Returns plain lists (tolist) where {array} is asked for",
        "The numbers may be right, but they come back in plain Python lists, where {array} is "
        "asked for. Nobody can go on computing with those: twice a list is the list repeated. "
        "Where does your result become one?",
        lambda right: right.wrapped('value.tolist() if hasattr(value, "tolist") else value'),
    ),
    _Common(
        "list-of-rows",
        "Returns a list of rows where {array} is asked for",
        "The numbers may be right, but they come back in a list of rows, where {array} is asked "
        "for. What puts the pieces of a list back together, or can you do without taking them "
        "apart?",
        lambda right: right.wrapped('list(value) if getattr(value, "shape", ()) else value'),
    ),
    _Common(
        "in-numpy",
        "Returns a NumPy array instead of a tensor",
        "The numbers may be right, but they come back in a NumPy array, where a tensor is asked "
        "for. PyTorch's layers go on with tensors alone, and no gradient comes back through "
        "NumPy. Where does your result leave PyTorch?",
        lambda right: (
            right.wrapped('value.detach().numpy() if hasattr(value, "detach") else value')
            if right.is_torch
            else ""
        ),
    ),
    _Common(
        "other-names",
        "Has no attribute {layer}: names of its own, or never made",
        "Your module has no attribute `{layer}`, so we can't set its weights and look at what it "
        "makes of them. Capitals and underscores count. Does your `__init__` make it, and under "
        "which name?",
        lambda right: re.sub(
            rf"\bself\.{right.layer}\b",
            f"self.my_{right.layer}",
            right.source if right.layer else "",
        ),
    ),
    _Common(
        "no-bias",
        "Makes the linear layers without bias",
        "Your linear layers have no bias, while those that the exercise asks for have one each. "
        "An `nn.Linear` as it comes brings its own. What are yours made of, and with which "
        "arguments?",
        lambda right: _NO_BIAS.sub(r"nn.Linear(\1, bias=False)", right.source),
    ),
    _Common(
        "super-missing",
        "Doesn't call super().__init__()",
        "Your `__init__` makes layers before that of nn.Module has run, which prepares the "
        "place where they are kept. Which line of the given stub sees to that, and where does it "
        "stand in yours?",
        lambda right: _SUPER.sub("", right.source),
    ),
    _Common(
        "drawn-anew",
        "Something is drawn at random in each call: fresh layers, or dropout",
        "Asked the same twice, your module gives two answers: something is drawn anew in each "
        "call. Layers made inside `forward` begin from scratch every time and could never learn, "
        "and dropout is not asked for here. Do you find either in yours?",
        _drawn_anew,
    ),
    _Common(
        "dropout-in-eval-mode",
        "Drops out in eval mode as well",
        "In eval mode, two runs on the same input differ: something is still drawn at random. "
        "Dropout is for training alone. A layer that `__init__` makes is told of the mode; a "
        "function, or a layer made in `forward`, isn't. Does yours know?",
        _dropout_in_eval_mode,
    ),
)


def common_variants(
    exercise: str, reference: str, prefix: str | None = None, left_out: Collection[str] = ()
) -> Iterator[Variant]:
    """Yield the mistakes that can be made of `reference`, save those with the names `left_out`."""
    if unknown := set(left_out) - {common.name for common in _COMMON}:
        raise CourseError(
            f"{exercise}: NOT_MISTAKES lists {min(unknown)!r}, which is no common misconception: "
            f"choose from {', '.join(common.name for common in _COMMON)}."
        )
    right = _Reference.of(exercise, reference)
    if right is None:
        return
    prefix = prefix or re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", "-", exercise).lower()
    words = {
        "function": "Your `forward`" if right.is_module else "Your function",
        "array": "a tensor" if right.is_torch else "an array",
        "layer": right.layer,
    }
    for common in _COMMON:
        wrong = "" if common.name in left_out else common.make(right)
        if wrong and wrong != reference:
            tag = f"{prefix}-{common.name}"
            description = common.description.format_map(words)
            message = common.message.format_map(words)
            yield Variant(tag, description, message, source=wrong)
