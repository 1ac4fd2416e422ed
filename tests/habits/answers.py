"""What people write in the cells of their answers: right ones, in the ways of many hands."""

from tests.habits.edits import (
    HW1,
    Habit,
    above,
    begun,
    below,
    both,
    ended,
    habits,
    swapped,
    written,
)

SOFTMAX = """
def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
"""
OPTIONAL = SOFTMAX.replace(
    "softmax(x)", "softmax(x: np.ndarray, axis: Optional[int] = None) -> Arr"
)
CALLABLE = """
class Softmax:
    def __call__(self, x):
        e = np.exp(x - x.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)

softmax = Softmax()
"""
LAMBDA = (
    "shift = lambda x: np.exp(x - x.max(-1, keepdims=True))\n"
    "softmax = lambda x: shift(x) / shift(x).sum(-1, keepdims=True)"
)
PARTIAL = """
from functools import partial

def _softmax(x, axis):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)

softmax = partial(_softmax, axis=-1)
"""
DECORATED = """
import functools
import time

def timed(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        start = time.time()
        result = function(*args, **kwargs)
        print(f"⏱ {function.__name__}: {time.time() - start:.6f}s")
        return result
    return wrapper

@timed
def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
"""
WALRUS = """
def softmax(x):
    return (e := np.exp(x - x.max(-1, keepdims=True))) / e.sum(-1, keepdims=True)
"""
MATCH = """
def softmax(x):
    match x.ndim:
        case 1:
            e = np.exp(x - max(x))
            return e / sum(e)
        case _:
            return np.stack([softmax(row) for row in x])
"""
CACHED = """
from functools import lru_cache

@lru_cache(maxsize=None)
def scale(d_k):
    return np.sqrt(d_k)

def scaled_dot_product_attention(Q, K, V):
    attention_weights = softmax(Q @ K.T / scale(K.shape[-1]))
    return attention_weights, attention_weights @ V
"""
DATACLASS = """
from dataclasses import asdict, dataclass

@dataclass
class Steps:
    query: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    scores: np.ndarray
    weights: np.ndarray
    context: np.ndarray
    output: np.ndarray

def worked_example(X, W_Q, W_K, W_V, token):
    q, k, v = X[token] @ W_Q, X @ W_K, X @ W_V
    s = k @ q / np.sqrt(q.size)
    w = softmax(s)
    return asdict(Steps(q, k, v, s, w, w @ v, X[token] + w @ v))
"""
TABS = SOFTMAX.replace("    ", "\t")
DEBUGGED = """
def softmax(x):
    # breakpoint()
    import pdb; pdb.set_trace()
    print("x:", x.shape, x)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    print(f"{e=}")
    assert (e >= 0).all(), "negative?!"
    out = e / e.sum(axis=-1, keepdims=True)
    print("-" * 80); print(out)
    return out

print(softmax(np.array([1., 2., 3.])))
softmax(np.array([1., 2., 3.]))
"""
RAISES_BELOW = SOFTMAX + "    raise NotImplementedError()\n"
CAREFUL = """
def softmax(x):
    try:
        e = np.exp(x - x.max(axis=-1, keepdims=True))
        with np.errstate(all="ignore"):
            return e / e.sum(axis=-1, keepdims=True)
    except FloatingPointError as error:
        logging.warning("overflow %s", error)
        raise
    finally:
        pass
"""
FUTURE = """from __future__ import annotations
from collections.abc import Sequence

def softmax(x: NDArray | Sequence[float]) -> NDArray:
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)
"""
CHINESE = """
# 计算 softmax：先减去最大值，避免溢出 🙂
def softmax(x, *, ε=0.0):
    指数 = np.exp(x - x.max(axis=-1, keepdims=True))
    return 指数 / (指数.sum(axis=-1, keepdims=True) + ε)
"""
METHODS = """
class Attention:
    @staticmethod
    def scores(Q, K):
        return Q @ K.T / np.sqrt(K.shape[-1])

    @classmethod
    def apply(cls, Q, K, V):
        w = softmax(cls.scores(Q, K))
        return w, w @ V

scaled_dot_product_attention = Attention.apply
"""
STEPS = (
    "import math; import numpy as np\n%matplotlib inline\n" + SOFTMAX + "%time softmax(np.eye(2))\n"
)
OWN_NAMES = """
def scaled_dot_product_attention(Q, K, V, *args, verbose=False, **kwargs):
    d_k = K.shape[-1]
    scores = np.einsum("nd,md->nm", Q, K) / d_k ** 0.5
    attention_weights = softmax(scores)
    if verbose: print(attention_weights)
    return attention_weights, np.matmul(attention_weights, V)
"""
RAGGED = """
def worked_example(X, W_Q, W_K, W_V, token):
    r = {}
    r['query'] = X[token] @ W_Q;  r['keys'] = X @ W_K;
    r['values'] = X @ W_V
    r['scores'] = \\
        r['keys'] @ r['query'] \\
        / np.sqrt(r['query'].shape[0])
    r['weights'] = softmax(r['scores']); r['context'] = r['weights'] @ r['values']
    r['output'] = X[token] + r['context']
    return r
"""
USES_TWICE = "def softmax(x):\n    e = np.exp(shifted(x))\n    return e / e.sum(-1, keepdims=True)"
SHIFTED = "def shifted(x):\n    return x - x.max(axis=-1, keepdims=True)"
DOCTEST = r'''
def softmax(x):
    """
    >>> softmax(np.array([0.0, 0.0]))
    array([0.5, 0.5])
    """
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)

import doctest
doctest.testmod()
help(softmax)
'''
# Not raw: Python warns of the backslashes.
LATEX = '''
def softmax(x):
    """Compute $\\sigma(x)_i = \\exp(x_i) / \\sum_j \\exp(x_j)$."""
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
'''
STARRED = """
from math import *
from numpy import *

def softmax(x):
    e = exp(x - max(x, axis=-1, keepdims=True))
    return e / sum(e, axis=-1, keepdims=True)
"""
WITHOUT_WARNINGS = '@np.errstate(all="ignore")' + SOFTMAX
TYPING = "from typing import Dict, List, Optional, Tuple, Union\n"

HABITS: tuple[Habit, ...] = habits(
    HW1,
    {
        "an import added to the given cell": both(
            ended("imports", "\n" + TYPING + "Arr = np.ndarray\n"), written("softmax", OPTIONAL)
        ),
        "the given import cell in other words": both(
            written(
                "imports", TYPING + "import matplotlib.pyplot as plt, numpy as np\nArr = np.ndarray"
            ),
            written("softmax", OPTIONAL),
        ),
        "an import of its own in the answer": begun("softmax", "import numpy as np\nimport math\n"),
        "a module that no grader has, in try": begun(
            "softmax", "try:\n    import cupy\nexcept ImportError:\n    cupy = None\n"
        ),
        "a callable object": written("softmax", CALLABLE),
        "a lambda": written("softmax", LAMBDA),
        "functools.partial": written("softmax", PARTIAL),
        "a decorator of one's own": written("softmax", DECORATED),
        "the walrus": written("softmax", WALRUS),
        "match": written("softmax", MATCH),
        "lru_cache on a helper": written("scaled_dot_product_attention", CACHED),
        "a dataclass in the answer": written("worked_example", DATACLASS),
        "tabs": written("softmax", TABS),
        "prints left in": written("softmax", DEBUGGED),
        "the raise left below the answer": written("softmax", RAISES_BELOW),
        "try, except, errstate": written("softmax", CAREFUL),
        "from __future__ in the answer": written("softmax", FUTURE),
        "Chinese names, emojis": written("softmax", CHINESE),
        "static methods": written("scaled_dot_product_attention", METHODS),
        "imports and magics in the answer": written("softmax", STEPS),
        "parameters more than asked": written("scaled_dot_product_attention", OWN_NAMES),
        "semicolons and backslashes": written("worked_example", RAGGED),
        "%%time above the answer": begun("softmax", "%%time\n"),
        "%%capture above the answer": begun("self_attention", "%%capture\n"),
        "a comment above a magic": begun("softmax", "# my answer\n%matplotlib inline\n"),
        "a helper in a cell above": both(written("softmax", USES_TWICE), above("softmax", SHIFTED)),
        "a helper in a cell below": both(written("softmax", USES_TWICE), below("softmax", SHIFTED)),
        "a constant in a cell above": both(
            above("softmax", "AXIS = -1  # always the last"),
            swapped("softmax", ("axis=-1", "axis=AXIS")),
        ),
        "the answer twice, the second better": begun(
            "softmax", "def softmax(x):\n    return np.exp(x) / np.exp(x).sum()\n\n"
        ),
        "an answer that raises at its end": ended("softmax", "\n\nsoftmax(undefined)"),
        "the docstring deleted": written("softmax", SOFTMAX),
        "doctest and help": written("softmax", DOCTEST),
        "LaTeX in a docstring that isn't raw": written("softmax", LATEX),
        "from numpy import *": written("softmax", STARRED),
        "np.errstate above the answer": written("softmax", WITHOUT_WARNINGS),
        "a list of examples below the answer": ended(
            "softmax", "\n\nfor row in ([1.0, 2.0], [0.0, 0.0]):\n    print(softmax(np.array(row)))"
        ),
    },
)
