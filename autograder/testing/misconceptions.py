"""The bank of misconceptions: named wrong variants of an exercise, each with its message.

Most are a small edit of a reference answer (`/ (n - 1)` → `/ n`), so that two can be combined. Some
can be made in any exercise, so every bank has them: of its REFERENCE, where that is possible, by a
wrapper around the function or the `forward` of the class, or by a change of its text. Their tags
are `<prefix>-<name>`, their words in `common_mistakes.toml`. No library of arrays is imported here.
"""

import ast
import re
import tomllib
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import permutations
from pathlib import Path
from typing import Any

from autograder.errors import CourseError

_WORDS = tomllib.loads(Path(__file__).with_name("common_mistakes.toml").read_text("utf-8"))
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
# What else is wrong can still be seen in numbers that are rounded, or in a list.
_BESIDE_OTHERS = ("rounded", "rounded-coarsely", "plain-list", "list-of-rows", "in-numpy")
_IS_TORCH = re.compile(r"\b(torch|nn|F)\.\w")
_LAYER_WITH_WEIGHTS = re.compile(
    r"\bself\.(\w+) = nn\.(?:Conv|Embedding|GRU|LSTM|LayerNorm|Linear|Module|Multihead|Parameter)"
)
_NO_BIAS = re.compile(r"\bnn\.Linear\(((?:(?!bias)[^()])*)\)")
_UNBIASED = """\
class _Unbiased(nn.Linear):
    def forward(self, x):
        return x @ self.weight.T


"""
_SUPER = re.compile(r"^ *super\(\)\.__init__\(\)\n", re.MULTILINE)
_ROUNDED = (
    '(value.round(decimals={0}) if "float" in str(getattr(value, "dtype", "")) else '
    "round(value, {0}) if isinstance(value, float) else value)"
)


@dataclass(frozen=True)
class Variant:
    """One way to get an exercise wrong.

    `tag` names it, `description` is a line for the instructor, `message` is for the student: fact,
    contrast, hint, and never the answer. `edits` maps texts in the reference to the texts that
    replace every occurrence of them, one after the other. Where no edit of the reference expresses
    the mistake, `source` is a whole answer, wrong by itself or once `edits` are made in it. What is
    done to a result, whichever it is, may be said `behind` the answer.

    Any two whose edits don't meet may stand together in one answer; with `pairs=False`, a mistake
    only stands alone. With `same_draws`, it explains random results only where they are its own,
    number by number; else other ones of their shapes may have come out by chance.

    `common` is the name of a mistake that can be made in any exercise, if it is one.
    """

    tag: str
    description: str
    message: str
    edits: Mapping[str, str] = field(default_factory=dict)
    source: str = ""
    pairs: bool = True
    same_draws: bool = False
    behind: str = ""
    common: str = ""

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
        return wrong + self.behind, None


@dataclass(frozen=True)
class WorkedExample:
    """A small worked example of an idea, for a student who asks for more than a message.

    `text` works through it in 80 to 160 words and small numbers, never in code; a blank line in it
    begins a new line on the screen. `call` is what a student could type to try it: the last line is
    an expression, in which `np` and `torch` may stand. `gives` is its right value: a number, a
    truth value, or nested lists of these.
    """

    text: str
    call: str
    gives: Any

    @property
    def lines(self) -> str:
        """The text as it is to be read, before a screen breaks its lines."""
        return "\n".join(" ".join(part.split()) for part in self.text.strip().split("\n\n"))


@dataclass(frozen=True)
class Candidate:
    """An answer, and what is made of the reference in it: misconceptions, perhaps in a style."""

    variants: tuple[Variant, ...]
    source: str


@dataclass(frozen=True)
class Bank:
    """The reference answer of one exercise, and the known ways to get it wrong.

    `styles` are other right ways to write a part of it, which matter only beside a mistake: they
    are named to nobody. `ideas` has, for a slip of one idea, which of the exercise's it is: 1 is
    the first. `examples` has, by tag, those of the module that the misconception stands in.
    """

    exercise: str
    reference: str
    variants: tuple[Variant, ...]
    styles: tuple[Variant, ...] = ()
    ideas: Mapping[str, int] = field(default_factory=dict)
    examples: Mapping[str, tuple[WorkedExample, ...]] = field(default_factory=dict)

    def singles(self) -> Iterator[Candidate]:
        for variant in self.variants:
            yield Candidate((variant,), variant.checked(self.exercise, self.reference))

    def restyled(self) -> Iterator[Candidate]:
        for style in self.styles:
            yield Candidate((style,), style.checked(self.exercise, self.reference))

    def sources(self) -> dict[str, str]:
        """Return the wrong answers, by the tags of their mistakes."""
        return {each.variants[0].tag: each.source for each in self.singles()}

    def together(self, *tags: str) -> Candidate | None:
        """Return the answer with several variants or styles, by their tags.

        Where one keeps the text that another replaces, as `dropout(relu(x))` keeps `relu(x)`, the
        other replaces it there. None if they can't be made one after the other, if what comes out
        depends on their order or is no Python, or if one of them is a whole answer.
        """
        options = [self._options[tag] for tag in tags]
        if not all(each.pairs and not each.source for each in options):
            return None
        made = set(filter(None, map(self._with, permutations(options))))
        if len(made) != 1 or not _is_python(source := made.pop()):
            return None
        return Candidate(tuple(options), source)

    def _with(self, options: Sequence[Variant]) -> str | None:
        source: str | None = self.reference
        for each in options:
            source = source and each.of(source)
        return source

    @cached_property
    def _options(self) -> dict[str, Variant]:
        return {each.tag: each for each in (*self.variants, *self.styles)}


def _is_python(source: str) -> bool:
    try:
        with warnings.catch_warnings(action="ignore"):  # it warns of what nobody would write
            compile(source, "<pair>", "exec", dont_inherit=True)  # parsers let equal names by
    except SyntaxError:
        return False
    return True


def _function_in(reference: str, exercise: str) -> str:
    """Return the name of the function, or of the class's `forward`; nothing if there is neither."""
    try:
        statements = ast.parse(reference).body
    except SyntaxError as error:
        raise CourseError(f"{exercise}: REFERENCE is no Python: {error}.") from None
    for node in statements:
        match node:
            case ast.FunctionDef(name=name) if name == exercise:
                return exercise
            case ast.ClassDef(name=name, body=body) if name == exercise:
                methods = [each.name for each in body if isinstance(each, ast.FunctionDef)]
                return f"{exercise}.forward" if "forward" in methods else ""
    return ""


def _wrapper(function: str, change: str = "value", result: str = "change(result)") -> str:
    """Return what wraps a function so that it returns `result`; `change` is of one `value`."""
    return _WRAPPER.format(change=change, result=result, function=function)


def _wrong_answers(source: str, layer: str) -> dict[str, str]:
    """Return the wrong answers that aren't `_wrong_results`, by name."""
    unbiased = source.replace("nn.Linear(", "_Unbiased(")
    return {
        "other-names": re.sub(rf"\bself\.{layer}\b", f"self.my_{layer}", source) if layer else "",
        "no-bias": _NO_BIAS.sub(r"nn.Linear(\1, bias=False)", source),
        "bias-unused": _UNBIASED + unbiased if unbiased != source else "",
        "super-missing": _SUPER.sub("", source),
    }


def _wrong_results(source: str, function: str, is_torch: bool) -> dict[str, str]:
    """Return by name what stands behind an answer whose results are changed."""
    wrapper, is_module = partial(_wrapper, function), function.endswith(".forward")
    has_dropout = "nn.Dropout(" in source
    is_dropping = is_module and has_dropout
    is_steady = is_module and is_torch and not has_dropout
    in_numpy = 'value.detach().numpy() if hasattr(value, "detach") else value'
    dropped = "value * (value.clone().uniform_() > 0.1) / 0.9"
    in_eval_mode = "result if args[0].training else change(result)"
    return {
        "nothing-returned": wrapper(result="None"),
        "rounded": wrapper(_ROUNDED.format(3)),
        "rounded-coarsely": wrapper(_ROUNDED.format(2)),
        "plain-list": wrapper('value.tolist() if hasattr(value, "tolist") else value'),
        "list-of-rows": wrapper('list(value) if getattr(value, "shape", ()) else value'),
        "in-numpy": wrapper(in_numpy) if is_torch else "",
        "drawn-anew": wrapper("value + value.clone().uniform_()") if is_steady else "",
        "dropout-in-eval-mode": wrapper(dropped, in_eval_mode) if is_dropping else "",
    }


def common_variants(
    exercise: str, reference: str, prefix: str | None = None, left_out: Collection[str] = ()
) -> Iterator[Variant]:
    """Yield the mistakes that can be made of `reference`, save those with the names `left_out`."""
    if unknown := set(left_out) - _WORDS.keys():
        raise CourseError(
            f"{exercise}: NOT_MISTAKES lists {min(unknown)!r}, which is no common misconception: "
            f"choose from {', '.join(_WORDS)}."
        )
    function = _function_in(reference, exercise)
    if not function:
        return
    prefix = prefix or re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", "-", exercise).lower()
    found = _LAYER_WITH_WEIGHTS.search(reference) if function != exercise else None
    layer = found[1] if found else ""
    is_torch = bool(_IS_TORCH.search(reference)) and "np." not in reference
    answers = _wrong_answers(reference, layer)
    results = _wrong_results(reference, function, is_torch)
    given = {
        "function": "Your function" if function == exercise else "Your `forward`",
        "array": "a tensor" if is_torch else "an array",
        "layer": layer,
    }
    for name, text in _WORDS.items():
        if name in left_out:
            continue
        words = {key: each.format_map(given) for key, each in text.items()}
        tag, pairs = f"{prefix}-{name}", name in _BESIDE_OTHERS
        if behind := results.get(name):
            yield Variant(tag, behind=behind, pairs=pairs, common=name, **words)
        elif answers.get(name, reference) not in ("", reference):
            yield Variant(tag, source=answers[name], common=name, **words)
