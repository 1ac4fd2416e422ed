"""What the words of feedback claim about a student's code, held against that code."""

import re
from collections.abc import Iterator, Mapping

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
