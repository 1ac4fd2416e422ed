"""No feedback states of somebody's code what that code rules out."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.answering import answers, diagnosis, examined, exercise_of, given, some

# In a notebook, too, warnings stand beside the result.
pytestmark = pytest.mark.filterwarnings("ignore")
WRONG = answers("wrong")

# A word in a statement about somebody's code, and what has to stand in code of which it is true.
CLAIMS: Mapping[str, str] = {
    r"(stands|has a) GELU": r"gelu",
    r"\bnp\.exp\b": r"exp",
    r"call(ed)? NumPy": r"\bnp\b|numpy",
    r"\b[Yy]ou round\b": r"round|floor|ceil|trunc|int\(|long\(|astype|//",
    r"write into|works? in place|overwrit": r"[\w\])]\s*[-+*/@|&^]=|\]\s*=[^=]|\w_\(|\.at\(|"
    r"\bout=|fill|copyto|sort\(|\.data",
    r"\b(your|a) loop\b": r"\b(for|while)\b",
    r"PyTorch's own": r"\b(nn|F|torch)\.",
    r"turn .* axes .* round": r"\.m?T\b|transpose|permute|swapaxes|moveaxis|einsum|rearrange",
    r"[Ss]oftmax is applied twice": r"softmax|exp",
    r"something is dropped out": r"[Dd]rop|rand|bernoulli|MultiheadAttention|Transformer",
    r"cuts? the thread|under `no_grad`": r"no_grad|detach|\.data|numpy|torch\.tensor|requires_grad",
}
_ABOUT_YOU = re.compile(r"\b[Yy]ou(r|rs)?\b")
_OPEN = re.compile(r"\?$|^(If|Where|When|Either|Some|Print|Compare)\b|\bhas no\b|\bcalled `?None")

FALSE = {
    "a number of a line": ("Your check breaks off at `f`, line 9.", "def f(x):\n    return x"),
    "what is quoted": ("You `view` the keys in place of turning them.", "k.transpose(1, 2)"),
    "the name of a function": ("Between your layers stands GELU.", "F.relu(self.linear1(x))"),
    "what is done": ("You write into an argument.", "def f(x):\n    return x + 1"),
}
POSSIBLE = {
    "a line that is there": ("Your check breaks off at `f`, line 2.", "def f(x):\n    return x"),
    "one of two quoted": ("You `view` or `reshape` the keys.", "k.reshape(2, 3)"),
    "what was done": ("You write into an argument.", "def f(x):\n    x += 1\n    return x"),
    "a question": ("Do you `view` the keys?", "k.transpose(1, 2)"),
    "a condition": ("If you `view` the keys, they are cut up.", "k.transpose(1, 2)"),
    "an absence": ("Your module has no `W_Q`.", "self.w_q = nn.Linear(2, 2)"),
}


def ruled_out(message: str, code: str, given: str = "") -> Iterator[str]:
    """Yield each sentence of `message` that states of `code` what can't be so.

    A sentence may quote what the code says, or what the notebook gives beside it. Questions and
    conditions state nothing, what is missing isn't looked for, and a colon ends the statement.
    """
    for sentence in re.split(r"(?<=[.?!])\s+", message):
        stated = sentence.partition(": ")[0]
        if not _ABOUT_YOU.search(stated) or _OPEN.search(sentence):
            continue
        quoted = re.findall(r"`([^`]+)`", stated)
        is_quoted = not quoted or any(_names(text) <= _names(code + given) for text in quoted)
        lines = [int(number) for number in re.findall(r"\bline (\d+)", stated)]
        beyond = any(line > len(code.splitlines()) for line in lines)
        if beyond or not is_quoted or any(_lacks(stated, code, word) for word in CLAIMS):
            yield sentence


def _lacks(stated: str, code: str, word: str) -> bool:
    """Tell whether the statement says `word`, and nothing in the code can be meant."""
    return bool(re.search(word, stated)) and not re.search(CLAIMS[word], code)


def _names(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w*", text))


@pytest.mark.parametrize(("message", "code"), FALSE.values(), ids=FALSE)
def test_a_statement_that_the_code_rules_out_is_found(message: str, code: str) -> None:
    assert list(ruled_out(message, code)) == [message]


@pytest.mark.parametrize(("message", "code"), POSSIBLE.values(), ids=POSSIBLE)
def test_what_may_be_true_is_left_alone(message: str, code: str) -> None:
    assert not list(ruled_out(message, code))


def test_what_the_notebook_gives_may_be_quoted() -> None:
    message = "Your mask isn't that of `full_attention`."
    assert not list(ruled_out(message, "", given="def full_attention(q, k, v): ..."))


def told(path: Path) -> list[str]:
    """Return what a student reads of a wrong answer: its mistakes, or what single tests say."""
    assignment, exercise = exercise_of(path)
    findings = examined(assignment, exercise, path.read_text())
    mistakes = [mistake.message for mistake in diagnosis(assignment).of(exercise, findings)]
    return mistakes or [found.verdict.message for found in findings]


@pytest.mark.slow
@pytest.mark.parametrize("path", some(WRONG, 800))
def test_a_wrong_answer_is_told_nothing_that_its_code_rules_out(path: Path) -> None:
    notebook = "\n".join(given(exercise_of(path)[0]))
    for message in told(path):
        assert not list(ruled_out(message, path.read_text(), notebook))
