"""The ways in which a call of a student's code can fail, and the sentences that students read.

Common exceptions of NumPy, PyTorch and Python are explained by the rules in `crashes.toml`. An
explanation quotes nothing from an exception's text but the sizes and names that its rule captures.
Names that were probably meant are those of the grader's own libraries.
"""

import builtins
import pkgutil
import re
import sys
import tomllib
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from autograder.course.loading import is_installed
from autograder.report import Outcome
from autograder.sandbox.host.child import ExitReason, NoReply, longest_sleep, patience
from autograder.sandbox.host.replies import MAX_MESSAGE, MAX_NAME, MAX_NAMES
from autograder.sandbox.limits import MAX_KEPT

MAX_EXPLAINED = 500  # characters of an exception's text that are looked at
_FULL = {"np": "numpy", "F": "torch.nn.functional", "nn": "torch.nn"} | {
    "Tensor": "torch:Tensor",
    "numpy.ndarray": "numpy:ndarray",
}
_OURS = {"builtins", "math", "scipy.special", "torch", *_FULL.values()}
_LIKENESS = 0.8  # of two names, from 0 to 1: one letter in five may differ
_RULES = Path(__file__).with_name("crashes.toml")
_WHY = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))  # by `ExitReason`
_NO_MODULE = re.compile(r"No module named '([A-Za-z_]\w{0,60})[\w.]{0,100}'")
# Modules that only a host of notebooks has: nobody can install them, and no answer needs them.
_OF_HOSTS = ("google", "kaggle_secrets")


class Explanation(NamedTuple):
    """What an exception means; `tag` is the same for all exceptions of one kind.

    `words` are those that its rule captured in the exception's text.
    """

    tag: str
    meaning: str
    words: Mapping[str, str] = {}

    @property
    def undefined(self) -> str:
        """The name that isn't defined, if that is what is wrong."""
        is_bare = self.tag == "crash-misspelt" and "owner" not in self.words
        return self.words["name"] if is_bare else ""


# Patterns of exceptions' texts, each with a meaning that leaves open what the pattern captures.
RULES = tuple(
    (text, Explanation(f"crash-{kind}", rule["means"]))
    for kind, rules in tomllib.loads(_RULES.read_text("utf-8")).items()
    for rule in rules
    for text in rule["texts"]
)


def explain(text: str, line: str = "") -> Explanation | None:
    """Return the explanation of an exception with this text, or None; `line` is where it was."""
    for pattern, rule in RULES:
        if found := re.search(pattern, text[:MAX_EXPLAINED]):
            # the sizes of a shape as Python writes them, (2, 3), where NumPy's errors have (2,3)
            words = {k: re.sub(r",(?=\d)", ", ", v or "") for k, v in found.groupdict().items()}
            looked_up = {
                name: look_up(**words)
                for name, look_up in _LOOK_UPS.items()
                if f"{{{name}}}" in rule.meaning
            }
            if all(looked_up.values()):
                shown = words | looked_up | {"line": line or "that line"}
                return Explanation(rule.tag, rule.meaning.format(**shown), words)
    return None


def _like(name: str, owner: str = "builtins") -> str:
    """Return the public name most like `name`: with other capitals, else with other letters."""
    names = dir(found) if (found := _named(owner)) else ()
    public = [each for each in names if not each.startswith("_") and each != name]
    same_letters = [each for each in public if each.lower() == name.lower()]
    return next(iter(same_letters or get_close_matches(name, public, 1, _LIKENESS)), "")


def _named(name: str) -> Any:
    """Return the module or the type of which Python speaks as `name`, if it is one of ours."""
    name = _FULL.get(name, name)
    if name in _OURS:
        try:
            return pkgutil.resolve_name(name)
        except ImportError:  # a course needn't have all of them
            return None
    found = getattr(builtins, name, None)
    return found if isinstance(found, type) else None


def _modules_with(name: str) -> str:
    """Return which modules have something called `name`: "`math`, `numpy` and `torch`"."""
    used = [each for each in ("math", "numpy", "torch") if each in sys.modules]
    having = [f"`{each}`" for each in used if hasattr(sys.modules[each], name)]
    return " and ".join(filter(None, (", ".join(having[:-1]), *having[-1:])))


# What a meaning may ask for beside the captured words; where nothing is found, another rule holds.
_LOOK_UPS: Mapping[str, Callable[..., str]] = {
    "like": _like,
    "modules": _modules_with,
    "library": lambda name: name if name in sys.stdlib_module_names else "",
}


def plain_rules() -> list[tuple[str, str]]:
    """Return the pattern and the meaning of each rule for which nothing is looked up."""
    return [
        (pattern, rule.meaning)
        for pattern, rule in RULES
        if not any(f"{{{name}}}" in rule.meaning for name in _LOOK_UPS)
    ]


class StudentFailure(Exception):
    """The student's code did not return: `outcome` is the verdict, the text says why."""

    outcome = Outcome.ERROR


class StudentRaised(StudentFailure):
    """The student's code raised; `type_name` and `bases` are as its process reported them."""

    def __init__(self, name: str, error: Mapping[str, Any]) -> None:
        self.type_name = _text(error.get("type"), MAX_NAME) or "an exception"
        self.bases = _texts(error.get("bases"))
        self.function = _text(error.get("function"), MAX_NAME)
        self.detail = _text(error.get("message"), MAX_MESSAGE)
        self._callers = _texts(error.get("callers"))
        line = error.get("line")
        self._line = f"line {line}" if type(line) is int and 0 < line < 10**6 else ""
        self.explanation = explain(self.detail, self._line)
        # PyTorch raises the same of its own accord, with texts that have explanations
        self._is_stubs = "NotImplementedError" in self.bases and self.explanation is None
        if self._is_stubs and self.function == name.partition(".")[0]:
            self.outcome = Outcome.NOT_ATTEMPTED
        elif self.type_name == "MemoryError" or "can't allocate memory" in self.detail:
            self.outcome = Outcome.MEMORY
        super().__init__(self._sentence(name))

    def _sentence(self, name: str) -> str:
        detail = one_line(_HIDDEN.sub("…", self.detail))
        if self.outcome is Outcome.NOT_ATTEMPTED:
            return f"`{name}` isn't written yet: it still raises NotImplementedError."
        if self._is_stubs and self.type_name == "NotImplementedError" and self.function:
            return f"`{name}` calls `{self.function}`, which isn't written yet."
        if self.outcome is Outcome.MEMORY:
            return f"`{name}` {_WHY[ExitReason.MEMORY]}"
        if module := missing_module({"type": self.type_name, "message": self.detail}):
            return without_module(module)
        match self.type_name:
            case "MissingParameter":
                return f"{detail}."
            case "Forbidden" | "WireError":
                return f"`{name}`: {detail}."
        meaning = self.explanation.meaning if self.explanation else ""
        return f"{self._raised(name)}{_after_colon(detail)}. {meaning}".rstrip()

    @property
    def place(self) -> str:
        """The function or class of the student's that raised, and the line in its own cell."""
        is_known = self._line and self.function.isidentifier()
        return f"`{self.function}`, {self._line}" if is_known else ""

    def _raised(self, name: str) -> str:
        """Say what was raised, and where; a line counts in the cell of the function it names."""
        if self.place and self.function != name:
            how = f"`{name}` called it" if name in self._callers else f"`{name}` was called"
            return f"{self.place}, failed when {how}: {self.type_name}"
        where = f" in {self._line} of its cell" if self.place else ""
        if self.function == "<lambda>" and self._line:
            where = f" in a lambda, in {self._line} of its cell"
        return f"`{name}` raised {self.type_name}{where}"


def missing_module(error: Mapping[str, Any]) -> str:
    """Return the module that an import didn't find, if the grader really has none of that name."""
    found = _NO_MODULE.match(_text(error.get("message"), MAX_MESSAGE))
    if found is None or error.get("type") != "ModuleNotFoundError" or found[1] in _OF_HOSTS:
        return ""
    return "" if is_installed(found[1]) else found[1]


def without_module(module: str) -> str:
    return f"This needs the module `{module}`, which the grader doesn't have."


def cell_error(error: Mapping[str, Any]) -> str:
    raised = StudentRaised("", error)
    is_own_line = raised.function in ("", "<module>") and bool(raised._line)
    subject = f"{raised._line.capitalize()} of the cell" if is_own_line else "The cell"
    meaning = raised.explanation.meaning if raised.explanation else ""
    said = f"{subject} raised {raised.type_name}{_after_colon(one_line(raised.detail))}."
    return f"{said} {meaning}".rstrip()


def _text(value: object, limit: int) -> str:
    """Return the beginning of a text; an empty one if it is none, for replies can be forged."""
    return value[:limit] if type(value) is str else ""


def _texts(values: object) -> list[str]:
    return [_text(value, MAX_NAME) for value in values[:MAX_NAMES]] if type(values) is list else []


def _after_colon(detail: str) -> str:
    return f": {detail.rstrip('.')}" if detail else ""


_NUMBER = r"""
    [-+]? (?: \d*\.\d+ | \d+\.(?=\s*[],]|\s+[-+\d]) | \d+(?=e[-+]?\d) ) (?: e[-+]?\d+ )?
    | \d{7,}
"""
# Values of hidden inputs: non-integers and very long numbers, unlike the sizes of a shape.
_HIDDEN = re.compile(rf"(?:{_NUMBER})(?:[\s,;]+(?:{_NUMBER}))*", re.IGNORECASE | re.VERBOSE)


class StudentTimedOut(StudentFailure):
    outcome = Outcome.TIMEOUT


class StudentStalled(StudentTimedOut):
    """The student's code waited, or had to wait for a busy machine, for as long as it may."""


class StudentOutOfMemory(StudentFailure):
    outcome = Outcome.MEMORY


_KINDS = {
    ExitReason.MEMORY: StudentOutOfMemory,
    ExitReason.EXHAUSTED: StudentTimedOut,
    ExitReason.ASLEEP: StudentStalled,
    ExitReason.STALLED: StudentStalled,
    ExitReason.TIME: StudentTimedOut,
}


def without_reply(ended: NoReply, subject: str) -> StudentFailure:
    """Say why there is no reply; `subject` begins the sentence, such as "`mean`"."""
    allowed, most = f"{ended.allowed:.3g}", MAX_KEPT >> 20
    slept, waited = f"{longest_sleep(ended.allowed):.3g}", f"{patience(ended.allowed):.3g}"
    said = _WHY[ended.reason].format(allowed=allowed, slept=slept, patience=waited, most=most)
    return _KINDS.get(ended.reason, StudentFailure)(f"{subject} {said}")


def one_line(text: str, limit: int = 200) -> str:
    """Return the first `limit` characters of `text` on one line."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"
