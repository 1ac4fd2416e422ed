"""What learners get wrong in cached_attention_step."""

from __future__ import annotations

from autograder.misconceptions import Variant

REFERENCE = """\
def cached_attention_step(q, k, v, cache):
    if cache is None:
        keys, values = k, v
    else:
        keys = torch.cat([cache[0], k], dim=1)
        values = torch.cat([cache[1], v], dim=1)
    scores = q @ keys.transpose(1, 2)
    scores = scores / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    output = weights @ values
    return output, (keys, values)
"""
NEW_CACHE = "return output, (keys, values)"

WRONG_CACHE = (
    Variant(
        tag="cache-not-extended",
        description="Returns the cache as it came in: the new token is not in it",
        message="Your output is right, but the cache that you return lacks the new token, so the "
        "next step knows nothing of it. What you attended to in this step is what the next one "
        "needs.",
        edits={NEW_CACHE: "return output, (k, v) if cache is None else cache"},
    ),
    Variant(
        tag="cache-never-begun",
        description="Returns the argument cache: after the first step it is still None",
        message="You return the argument `cache` itself, which is None at the first step and stays "
        "so: nothing is ever remembered. Which two tensors should the next step find?",
        edits={NEW_CACHE: "return output, cache"},
    ),
    Variant(
        tag="cache-newest-only",
        description="Returns a cache of the new token alone: the older ones are forgotten",
        message="Your new cache holds the newest token alone: all that came before is forgotten "
        "after one step. It should have one row more than the old one.",
        edits={NEW_CACHE: "return output, (k, v)"},
    ),
    Variant(
        tag="cache-newest-first",
        description="Puts the new key and value in front of the old ones",
        message="Your cache has the newest token first. The output doesn't mind, but whoever reads "
        "the cache does: it is to be *oldest first*. In which order do you hand the two parts to "
        "`torch.cat`?",
        edits={"[cache[0], k]": "[k, cache[0]]", "[cache[1], v]": "[v, cache[1]]"},
    ),
    Variant(
        tag="cache-grows-twice",
        description="Appends the new token twice: for attending and again for returning",
        message="Your cache grows by two tokens a step, the new one stands in it twice. You append "
        "it once to attend, and once more to return. One of them is enough.",
        edits={
            NEW_CACHE: "return output, (torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1))"
        },
    ),
    Variant(
        tag="cache-keys-and-values-swapped",
        description="Returns the cache as (values, keys)",
        message="Your new cache is (values, keys), so the next step looks for keys among values. "
        "It is to be (keys, values), as it came in.",
        edits={NEW_CACHE: "return output, (values, keys)"},
    ),
    Variant(
        tag="cache-of-keys-alone",
        description="Returns the keys alone as the new cache",
        message="Your new cache holds keys and no values. The next step will find out how much "
        "each old token counts, but not what it has to say. A cache is a pair.",
        edits={NEW_CACHE: "return output, keys"},
        pairs=False,
    ),
    Variant(
        tag="cache-values-not-extended",
        description="Extends the keys but not the values: the sizes clash",
        message="You extend the keys but not the values, so there is one weight more than there "
        "are values to weigh. Each token in the cache has both.",
        edits={"torch.cat([cache[1], v], dim=1)": "cache[1]"},
    ),
    Variant(
        tag="cache-written-into-a-tuple",
        description="Assigns to cache[0], but the cache is a tuple",
        message="The cache is a tuple, and a tuple can't be assigned to. That is as it should be: "
        "the cache that was handed to you is not to be changed. Give the longer tensors names of "
        "their own.",
        edits={"keys = torch": "cache[0] = torch", "values = torch": "cache[1] = torch"},
        pairs=False,
    ),
    Variant(
        tag="cache-joined-along-the-batch",
        description="Concatenates along the batch axis",
        message="You append along the first axis, which is the batch: new sentences instead of a "
        "new token. In (batch, t, d), which axis counts tokens?",
        edits={"dim=1)": "dim=0)"},
    ),
    Variant(
        tag="cache-joined-along-the-features",
        description="Concatenates along the last axis, the features",
        message="You append along the last axis, which holds features: longer vectors instead of "
        "more tokens. In (batch, t, d), which axis counts tokens?",
        edits={"dim=1)": "dim=2)"},
    ),
    Variant(
        tag="cache-none-indexed",
        description="Reads cache[0] at the first step, where the cache is None",
        message="At the very first step there is no cache: it is None, and None has no parts. What "
        "are the keys and the values when the new token is the only one?",
        source="""\
def cached_attention_step(q, k, v, cache):
    keys = torch.cat([cache[0], k], dim=1)
    values = torch.cat([cache[1], v], dim=1)
    weights = torch.softmax(q @ keys.transpose(1, 2) / math.sqrt(q.shape[-1]), dim=-1)
    return weights @ values, (keys, values)
""",
    ),
    Variant(
        tag="cache-none-unpacked",
        description="Unpacks the cache at the first step, where it is None",
        message="At the very first step there is no cache: it is None, and None can't be taken "
        "apart. What are the keys and the values when the new token is the only one?",
        source="""\
def cached_attention_step(q, k, v, cache):
    keys, values = cache
    keys, values = torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1)
    weights = torch.softmax(q @ keys.transpose(1, 2) / math.sqrt(q.shape[-1]), dim=-1)
    return weights @ values, (keys, values)
""",
    ),
)

WRONG_ATTENTION = (
    Variant(
        tag="cache-new-token-not-attended",
        description="Attends to the old tokens only, not to the new one itself",
        message="Your new token attends to those before it, but not to itself. In causal attention "
        "the diagonal belongs to what may be seen. Which comes first in your function, extending "
        "the cache or attending?",
        source="""\
def cached_attention_step(q, k, v, cache):
    if cache is None:
        return v, (k, v)
    keys, values = cache
    weights = torch.softmax(q @ keys.transpose(1, 2) / math.sqrt(q.shape[-1]), dim=-1)
    return weights @ values, (torch.cat([keys, k], dim=1), torch.cat([values, v], dim=1))
""",
    ),
    Variant(
        tag="cache-new-token-alone-attended",
        description="Attends to the new token only: the cache is kept but never used",
        message="Your output is the new token's own value at every step: the cache is kept and "
        "handed on, but nobody looks into it. Which keys should the query meet?",
        edits={
            "q @ keys.transpose(1, 2)": "q @ k.transpose(1, 2)",
            "weights @ values": "weights @ v",
        },
    ),
    Variant(
        tag="cache-masked-again",
        description="Applies a causal mask to the single row of scores: only the oldest is seen",
        message="Your single query sees the oldest token alone: a causal mask is laid over a "
        "matrix of one row, as if that row were the first. The new token comes last, so nothing in "
        "the cache has to be hidden from it.",
        edits={
            "scores / math.sqrt(q.shape[-1])": "(scores / math.sqrt(q.shape[-1])).masked_fill("
            "torch.ones(1, keys.shape[1]).tril() == 0, -math.inf)"
        },
    ),
    Variant(
        tag="cache-averages-the-keys",
        description="Averages the keys instead of the values",
        message="Your weights average the *keys*. Keys are what tokens are found by; what they "
        "hand over when found are their values.",
        edits={"weights @ values": "weights @ keys"},
    ),
    Variant(
        tag="cache-keys-not-transposed",
        description="Multiplies query and keys without a transpose: the sizes clash",
        message="`q @ keys` can't be multiplied: the query has d entries, and so should each "
        "column of what it meets. Which two of the three axes of the keys must change places?",
        edits={"keys.transpose(1, 2)": "keys"},
    ),
    Variant(
        tag="cache-softmax-over-queries",
        description="Softmax over the axis of the queries, of which there is one",
        message="Your softmax runs along the axis of the queries. There is one query, so each "
        "weight is 1 and the values are *added up*. Along which axis do the keys lie?",
        edits={"torch.softmax(scores, dim=-1)": "torch.softmax(scores, dim=-2)"},
    ),
    Variant(
        tag="cache-softmax-over-batch",
        description="Softmax over the first axis, the batch",
        message="Your softmax runs along the first axis, so the sentences of a batch take "
        "attention away from each other. Along which axis of the scores do the keys lie?",
        edits={"torch.softmax(scores, dim=-1)": "torch.softmax(scores, dim=0)"},
    ),
    Variant(
        tag="cache-no-softmax",
        description="Weights the values with raw scores: no softmax",
        message="Your values are weighted by the scores themselves, which may be negative and sum "
        "to anything. What makes shares of scores?",
        edits={"torch.softmax(scores, dim=-1)": "scores"},
    ),
    Variant(
        tag="cache-not-scaled",
        description="The scores are not divided by the root of d",
        message="Your scores go into the softmax as they are, so the attention is sharper than it "
        "should be. A cache changes nothing about that: what does `full_attention` divide by?",
        edits={"scores / math.sqrt(q.shape[-1])": "scores"},
    ),
    Variant(
        tag="cache-scaled-by-d",
        description="The scores are divided by d instead of its root",
        message="Your scores are divided by d, so the attention is flatter than it should be. The "
        "spread of a dot product grows with the *root* of the number of its terms.",
        edits={"math.sqrt(q.shape[-1])": "q.shape[-1]"},
    ),
    Variant(
        tag="cache-scaled-by-the-length",
        description="The scores are divided by the root of the number of tokens",
        message="You divide the scores by the root of the number of tokens, so the attention gets "
        "flatter with each step. How large a dot product is depends on how many *features* are "
        "multiplied and added.",
        edits={"math.sqrt(q.shape[-1])": "math.sqrt(keys.shape[1])"},
    ),
)

WRONG_RESULT = (
    Variant(
        tag="cache-changes-its-input",
        description="Scales the query in place: the caller's tensor is changed",
        message="Your values are right, but the caller's query is no longer what it was: `/=` and "
        "assignments to slices write into the tensor that was handed to you. Which line does?",
        edits={
            "    scores = scores / math.sqrt(q.shape[-1])\n": "",
            "    scores = q @": "    q /= math.sqrt(q.shape[-1])\n    scores = q @",
        },
        pairs=False,
    ),
    Variant(
        tag="cache-three-results",
        description="Returns (output, keys, values) instead of (output, (keys, values))",
        message="You return three results where two are asked for: keys and values belong "
        "together, in one pair, so that the next step can be given them as one argument.",
        edits={NEW_CACHE: "return output, keys, values"},
        pairs=False,
    ),
    Variant(
        tag="cache-output-alone",
        description="Returns the output without the new cache",
        message="You return the output alone. The cache that you extended ends with the call, and "
        "the next step starts from nothing. What else has to be handed back?",
        edits={NEW_CACHE: "return output"},
        pairs=False,
    ),
    Variant(
        tag="cache-returned-first",
        description="Returns (new_cache, output) instead of (output, new_cache)",
        message="You return the cache first and the output second. It is to be the other way "
        "round; nothing but the order of your `return` is at fault.",
        edits={NEW_CACHE: "return (keys, values), output"},
        pairs=False,
    ),
    Variant(
        tag="cache-nothing-returned",
        description="Computes, but returns nothing",
        message="Your function returns None, though it computes something. A function hands back "
        "what follows `return`: is yours there, on both ways through the `if`?",
        edits={NEW_CACHE: "output, (keys, values)"},
        pairs=False,
    ),
)

MISCONCEPTIONS = (*WRONG_CACHE, *WRONG_ATTENTION, *WRONG_RESULT)
