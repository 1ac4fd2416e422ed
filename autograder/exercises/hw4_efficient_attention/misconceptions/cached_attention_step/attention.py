"""What learners get wrong in cached_attention_step: attention."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

from ...scores import SOFTMAX, TRANSPOSED_WHERE_NEEDED, wrong_ranges, wrong_scales
from .reference import ATTENDED

MISCONCEPTIONS = (
    *wrong_scales("cache", "q.shape[-1]"),
    *wrong_ranges("cache"),
    Variant(
        tag="cache-shifted-by-old-scores-alone",
        description="Shifts by the largest score of the old keys: a far better new key overflows",
        message="You move the scores by the largest among the *old* keys. Where the new token's "
        "own key fits far better than they do, its exponential is infinite, and nan comes out. "
        "Which scores should be asked for the largest?",
        edits={
            "torch.softmax(scores, dim=-1)": (
                "torch.exp(scores - scores[..., : cache is None or -1].amax(-1, keepdim=True))\n"
                "    weights = weights / weights.sum(-1, keepdim=True)"
            )
        },
    ),
    Variant(
        tag="cache-new-token-not-attended",
        description="Attends to the old tokens only, not to the new one itself",
        message="Your new token attends to those before it, but not to itself. In causal attention "
        "the diagonal belongs to what may be seen. Whose keys and values does your query meet: "
        "those of the old cache, or those of the new one?",
        edits={ATTENDED: "attended, heard = (keys, values) if cache is None else cache"},
    ),
    Variant(
        tag="cache-new-token-alone-attended",
        description="Attends to the new token only: the cache is kept but never used",
        message="Your output is the new token's own value at every step, whatever the cache holds: "
        "nothing in it has any effect.",
        edits={ATTENDED: "attended, heard = k, v"},
    ),
    Variant(
        tag="cache-masked-again",
        description="Applies a causal mask to the single row of scores: only the oldest is seen",
        message="Your single query sees the oldest token alone. A causal mask of one row would do "
        "that: it takes the row for the first, and the first token sees only itself. The new token "
        "comes last. Nothing has to be hidden from it.",
        edits={
            "scores / math.sqrt(q.shape[-1])": "(scores / math.sqrt(q.shape[-1])).masked_fill("
            "torch.ones(1, attended.shape[1]).tril() == 0, -math.inf)"
        },
    ),
    Variant(
        tag="cache-averages-the-keys",
        description="Averages the keys instead of the values",
        message="Your weights average the *keys*. Keys are what tokens are found by; what they "
        "hand over when found is something else. Which half of the cache holds that?",
        edits={ATTENDED: "attended, heard = keys, keys"},
    ),
    Variant(
        tag="cache-keys-and-values-exchanged",
        description="Compares the query with the values, and averages the keys",
        message="Your query is compared with the *values*, and what is averaged are the *keys*. A "
        "token is found by one of the two, and hands over the other. Which is which, and which "
        "half of the cache holds it?",
        edits={ATTENDED: "attended, heard = values, keys"},
    ),
    Variant(
        tag="cache-key-asks",
        description="Compares keys with the new key: the query is never used",
        message="Whatever the query is, your output stays the same: it is the new token's *key* "
        "that meets the keys. A key says what a token offers; what it looks for is in another of "
        "your inputs. Which one is never used?",
        edits={"query = q\n": "query = k\n"},
    ),
    Variant(
        tag="cache-keys-not-transposed",
        description="Multiplies query and keys without a transpose: the sizes clash",
        message="Your query can't be multiplied with the keys as they lie: its d entries are "
        "features, and in the keys, as they are, the features lie along the wrong axis. Write the "
        "shapes below the product.",
        edits={"attended.transpose(1, 2)": "attended"},
    ),
    Variant(
        tag="cache-keys-transposed-where-needed",
        description="Transposes the keys only where the sizes demand it",
        message=TRANSPOSED_WHERE_NEEDED,
        edits={
            "attended.transpose(1, 2)": (
                "(attended if attended.shape[1] == attended.shape[2] else attended.transpose(1, 2))"
            )
        },
    ),
    Variant(
        tag="cache-softmax-over-queries",
        description="Softmax over the axis of the queries, of which there is one",
        message="Your softmax runs along the axis of the queries. There is one query, so each "
        "weight is 1 and the values are *added up*. Along which axis do the keys lie?",
        edits={SOFTMAX: "torch.softmax(scores, dim=-2)"},
    ),
    Variant(
        tag="cache-softmax-over-batch",
        description="Softmax over the first axis, the batch",
        message="Your softmax runs along the first axis, so the sentences of a batch take "
        "attention away from each other. It should run along the keys.",
        edits={SOFTMAX: "torch.softmax(scores, dim=0)"},
    ),
    Variant(
        tag="cache-no-softmax",
        description="Weights the values with raw scores: no softmax",
        message="Your values are weighted by the scores themselves, which may be negative and sum "
        "to anything. Attention weighs with shares.",
        edits={SOFTMAX: "scores"},
    ),
    Variant(
        tag="cache-scaled-by-the-length",
        description="The scores are divided by the root of the number of tokens",
        message="You divide the scores by the root of the number of tokens, so the attention gets "
        "flatter with each step. How large a dot product gets depends on how many *features* are "
        "multiplied and added. Which axis of the query holds them?",
        edits={"math.sqrt(q.shape[-1])": "math.sqrt(attended.shape[1])"},
    ),
    Variant(
        tag="cache-attends-to-four",
        description="Attends to the last four tokens only",
        message="Your new token attends to the last few tokens alone: what is further back in the "
        "cache has no effect. A window of that kind is the first exercise; here a token sees all "
        "that came before.",
        edits={ATTENDED: "attended, heard = keys[:, -4:], values[:, -4:]"},
    ),
    Variant(
        tag="cache-keys-of-one-sentence",
        description="Every sentence of the batch is compared with the keys of the first",
        message="Every sentence of your batch meets the keys of the *first* one. Each sentence has "
        "keys of its own, and never meets those of another. What does your code do with the axis "
        "of the batch?",
        edits={ATTENDED: "attended, heard = keys[:1].expand_as(keys), values"},
    ),
    Variant(
        tag="cache-values-of-one-sentence",
        description="Every sentence of the batch takes home values of the first",
        message="Every sentence of your batch takes home values of the *first* one. Each sentence "
        "has values of its own. What does your code do with the axis of the batch?",
        edits={ATTENDED: "attended, heard = keys, values[:1].expand_as(values)"},
    ),
    Variant(
        tag="cache-first-sentence-for-all",
        description="The output of the first sentence is returned for every sentence",
        message="Every sentence of your batch gets the output of the *first* one, whatever its own "
        "tokens are. Where in your code does the axis of the batch get lost?",
        edits={"weights @ heard": "(weights @ heard)[:1].expand_as(q)"},
    ),
    Variant(
        tag="cache-weights-of-the-first-sentence",
        description="The weights of the first sentence weigh the values of every sentence",
        message="Every sentence of your batch weighs its values with the weights of the *first* "
        "one. Its own query and its own keys make the weights of a sentence. Where in your code "
        "does the axis of the batch get lost?",
        edits={"weights @ heard": "weights[:1] @ heard"},
    ),
    Variant(
        tag="cache-of-another-sentence-attended",
        description="Each sentence attends to keys and values of its neighbour in the batch",
        message="Each sentence of your batch meets the keys and values of *another* one, though "
        "each kept its own. What moves along the axis of the batch before you attend?",
        edits={ATTENDED: "attended, heard = keys.roll(1, 0), values.roll(1, 0)"},
    ),
)

EXAMPLES = (
    WorkedExample(
        """
One token has been here before: its key holds zeros, its value is 4. A second one comes, with the
query (2, 0, 0, 0), the key (1.1, 0, 0, 0) and the value 8; e^1.1 = 3.

The new token looks at all tokens so far, and at itself, which is the last of them. The dot
products are 0 and 2 · 1.1 = 2.2. Keys have four entries, so they are divided by √4 = 2: the
scores are 0 and 2.2/2 = 1.1.

Softmax runs over the tokens: 1 + 3 = 4, so the weights are 1/4 = 0.25 and 3/4 = 0.75.

The result is 0.25 · 4 + 0.75 · 8 = 7. No token comes later, so nothing has to be hidden.

If yours is 4 or 8, a token wasn't seen; 6, all were seen alike; 12, they were added up; near 7,
look at the scale. Which?""",
        """\
q, k, v = torch.zeros(1, 1, 4), torch.zeros(1, 1, 4), torch.zeros(1, 1, 4)
q[..., 0], k[..., 0], v[..., 0] = 2.0, 1.0986, 8.0
cache = torch.zeros(1, 1, 4), v / 2
cached_attention_step(q, k, v, cache)[0][0, 0, 0]""",
        7.0,
    ),
    WorkedExample(
        """
Two conversations go on side by side, as a batch of two. In each, one token has been here before
and a second one comes. Keys have one entry, so nothing has to be scaled.

In the first, both keys are 0, so both tokens get 1/2 = 0.5. The values are 4 and 8, and the result
is 0.5 · 4 + 0.5 · 8 = 6.

In the second, the keys are 0 and 1.1, the query is 1, and e^1.1 = 3, so the weights are 1/4 = 0.25
and 3/4 = 0.75. The values are 10 and 30, and the result is 0.25 · 10 + 0.75 · 30 = 25.

The two never hear of each other: nothing of the first should be in the second's result, neither
keys nor values. Where might the batch get lost in your code: by an index of 0, a sum, or
another axis?""",
        """\
q, k = torch.ones(2, 1, 1), torch.tensor([[[0.0]], [[1.0986]]])
v, cache = torch.tensor([[[8.0]], [[30.0]]]), (0 * k, torch.tensor([[[4.0]], [[10.0]]]))
cached_attention_step(q, k, v, cache)[0][:, 0, 0]""",
        [6.0, 25.0],
    ),
)
