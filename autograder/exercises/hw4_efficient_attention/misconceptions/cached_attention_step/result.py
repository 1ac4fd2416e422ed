"""What learners get wrong in cached_attention_step: result."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

from .reference import NEW_CACHE

MISCONCEPTIONS = (
    Variant(
        tag="cache-changes-its-input",
        description="Scales the query in place: the caller's tensor is changed",
        message="An input is no longer what it was. A quotient or a sum "
        "makes a new tensor. What writes into the one that you were given is an assignment to a "
        "part of it, one that computes and assigns at once, or a function whose name ends with an "
        "underscore. Look for such a line.",
        edits={
            "query = q\n": "query = q.div_(math.sqrt(q.shape[-1]))\n",
            "scores / math.sqrt(q.shape[-1])": "scores",
        },
    ),
    Variant(
        tag="cache-query-axis-lost",
        description="The output has no axis for the query: (batch, d)",
        message="Your output has lost its middle axis: (batch, d) comes back instead of (batch, 1, "
        "d). A single token is still a sequence, of length 1. Which step takes that axis away, and "
        "what would leave it in place?",
        edits={"weights @ heard": "(weights @ heard).squeeze(1)"},
    ),
    Variant(
        tag="cache-first-output-zero",
        description="Returns zeros in the first step, as if there were nothing to attend to",
        message="Your first step returns zeros. There is no cache yet, but there is a token: the "
        "new one itself, with a key and a value.",
        edits={"output = weights @ heard": "output = weights @ heard * (cache is not None)"},
    ),
    Variant(
        tag="cache-not-begun",
        description="Returns None for the cache in the first step",
        message="Your first step hands on None in place of a cache, so the first token is "
        "forgotten at once. With nothing before it there is nothing to put together, but there is "
        "a key and a value already. What should the second step find?",
        edits={NEW_CACHE: "return output, None if cache is None else (keys, values)"},
    ),
    Variant(
        tag="cache-three-results",
        description="Returns (output, keys, values) instead of (output, (keys, values))",
        message="You return three results instead of two: keys and values belong together, in one "
        "pair, so that the next step can be given them as one argument. Which brackets are "
        "missing?",
        edits={NEW_CACHE: "return output, keys, values"},
    ),
    Variant(
        tag="cache-output-alone",
        description="Returns the output without the new cache",
        message="You return the output alone. What is kept in the function's own variables ends "
        "with the call, and the next step starts from nothing. The exercise says what else to "
        "return.",
        edits={NEW_CACHE: "return output"},
    ),
    Variant(
        tag="cache-weights-returned",
        description="Returns the weights, (batch, 1, t + 1), in place of the output",
        message="You return the weights: how much the new token attends to each token so far, "
        "which is a number for each token. What it takes home from them has d features, like a "
        "value. Which of your inputs do the weights still have to meet?",
        edits={NEW_CACHE: "return weights, (keys, values)"},
    ),
    Variant(
        tag="cache-returned-first",
        description="Returns (new_cache, output) instead of (output, new_cache)",
        message="You return the cache first and the output second. It should be the other way "
        "round. In which order does the docstring list them?",
        edits={NEW_CACHE: "return (keys, values), output"},
    ),
)

EXAMPLES = (
    WorkedExample(
        """
The first token of a text comes, with the query 1, the key 1 and the value 8. There is no cache
yet: in its place stands `None`.

The token looks at all tokens so far, and that is itself alone. One score, whatever it is, gets the
whole attention: e^1 = 2.72, and 2.72/2.72 = 1. So the result is 1 · 8 = 8, its own value.

The cache that is handed on holds its key 1 and its value 8, so that the second token finds them.

A first step isn't a step without attention: it is one with a single token to look at. What does
your code do differently where there is no cache, and how much of that difference is needed?""",
        """\
q, k, v = torch.tensor([[[1.0]]]), torch.tensor([[[1.0]]]), torch.tensor([[[8.0]]])
cached_attention_step(q, k, v, None)[0]""",
        [[[8.0]]],
    ),
)
