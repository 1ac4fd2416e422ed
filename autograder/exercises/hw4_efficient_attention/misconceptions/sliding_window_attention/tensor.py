"""What learners get wrong in sliding_window_attention: tensor."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

from ...scores import TRANSPOSED_WHERE_NEEDED

# Windows of (d, places), read on as (places, d).
_READ_ON = "F.pad({}, (0, 0, window, window)).unfold(1, 2 * window + 1, 1).reshape(batch, n, -1, d)"
_KEYS_READ_ON = {
    "scores = queries @ keys.transpose(1, 2)": (
        f"neighbours = {_READ_ON.format('keys')}\n"
        "    scores = (queries.unsqueeze(2) * neighbours).sum(dim=-1)\n"
        "    places = (j - i + window).clamp(0, 2 * window)\n"
        "    scores = scores.gather(2, places.expand(batch, n, n))"
    )
}
_VALUES_READ_ON = {
    "output = weights @ values": (
        f"neighbours = {_READ_ON.format('values')}\n"
        "    whose = i + torch.arange(-window, window + 1)\n"
        "    real = (whose >= 0) & (whose < n)\n"
        "    whose = whose.clamp(0, n - 1).expand(batch, n, -1)\n"
        "    output = ((weights.gather(2, whose) * real).unsqueeze(2) @ neighbours).squeeze(2)"
    )
}
# Windows along the last axis, of (features, places): each token meets parts of itself alone.
_OVER_FEATURES = """\
neighbours, taken = (
        F.pad(part, (window, window)).unfold(2, 2 * window + 1, 1) for part in (keys, values)
    )
    scores = torch.einsum("bnd,bndw->bnw", queries, neighbours) / math.sqrt(d)
    weights = torch.softmax(scores{}, dim=-1)
    return torch.einsum("bnw,bndw->bnd", weights, taken)"""
_HIDDEN_PLACES = """\
whose = i + torch.arange(-window, window + 1)
    beyond = (whose < 0) | (whose >= n)
    """

MISCONCEPTIONS = (
    Variant(
        tag="sliding-window-keys-of-one-sentence",
        description="Every sentence of the batch is compared with the keys of the first",
        message="Every sentence of your batch meets the keys of the *first* one. Each sentence has "
        "keys of its own, and never meets those of another. What does your code do with the axis "
        "of the batch?",
        edits={"keys = K": "keys = K[:1].expand_as(K)"},
    ),
    Variant(
        tag="sliding-window-values-of-one-sentence",
        description="Every sentence of the batch takes home values of the first",
        message="Every sentence of your batch takes home values of the *first* one. Each sentence "
        "has values of its own. What does your code do with the axis of the batch?",
        edits={"values = V": "values = V[:1].expand_as(V)"},
    ),
    Variant(
        tag="sliding-window-first-sentence-for-all",
        description="The result of the first sentence is returned for every sentence",
        message="Every sentence of your batch gets the result of the *first* one, whatever its own "
        "tokens are. Where in your code does the axis of the batch get lost?",
        edits={"return output": "return output[:1].expand_as(Q)"},
    ),
    Variant(
        tag="sliding-window-sentences-end-to-end",
        description="Lays all sentences end to end: windows reach over their borders",
        message="You lay the sentences of the batch end to end, as one long text, so the windows "
        "at the end of a sentence reach into the next one. Each sentence is a text of its own. "
        "What happens to the axis of the batch in your code?",
        edits={
            "batch, n, d = Q.shape\n": "batch, n, d = Q.shape\n"
            "    Q, K, V = (part.reshape(1, batch * n, d) for part in (Q, K, V))\n"
            "    n = batch * n\n",
            "return output": "return output.reshape(batch, -1, d)",
        },
    ),
    Variant(
        tag="sliding-window-averages-the-keys",
        description="Averages the keys instead of the values",
        message="Your weights average the *keys*. Keys are what tokens are found by; what they "
        "hand over when found is another tensor. Which of your three inputs is never used?",
        edits={"values = V": "values = K"},
    ),
    Variant(
        tag="sliding-window-queries-and-keys-swapped",
        description="Row i compares the key of token i with the queries around it",
        message="Row i of your scores compares the *key* of token i with the queries around it. "
        "The softmax should divide the attention of a *query*.",
        edits={"queries @ keys.transpose(1, 2)": "keys @ queries.transpose(1, 2)"},
    ),
    Variant(
        tag="sliding-window-keys-ask",
        description="Compares keys with keys: the queries are never used",
        message="Whatever the queries are, your result stays the same: *keys* meet keys. A key "
        "says what a token offers; what it looks for is in another of your inputs. Which one is "
        "never used?",
        edits={"queries = Q": "queries = K"},
    ),
    Variant(
        tag="sliding-window-keys-transposed-where-needed",
        description="Transposes the keys only where the sizes demand it",
        message=TRANSPOSED_WHERE_NEEDED,
        edits={
            "keys.transpose(1, 2)": (
                "(keys if keys.shape[1] == keys.shape[2] else keys.transpose(1, 2))"
            )
        },
    ),
    *(
        Variant(
            tag=f"sliding-window-{parts}-read-on",
            description=f"Reads windows of {parts} from (d, places) as (places, d) by a reshape",
            message=f"In the windows of your {called} the numbers are mixed up: they lie feature "
            "by feature, with the places of the window on the last axis (as `unfold` leaves them), "
            "and are read as if they lay token by token. `view` and `reshape` cut axes and never "
            "exchange two. Which step should exchange them?",
            edits=edits,
        )
        for parts, called, edits in (
            ("keys-and-values", "keys and values", _KEYS_READ_ON | _VALUES_READ_ON),
            ("keys", "keys", _KEYS_READ_ON),
            ("values", "values", _VALUES_READ_ON),
        )
    ),
    *(
        Variant(
            tag=f"sliding-window-over-features{ends}",
            description=f"Slides over the features of a token{how}",
            message="Your windows lie along the last axis, so they slide over the features of one "
            "token, and no token meets another. Which axis of (batch, n, d) counts the tokens, and "
            "along which one does your window move?",
            edits={"return output": edit},
            pairs=False,
        )
        for ends, how, edit in (
            ("", ", as if they were tokens", _OVER_FEATURES.format("")),
            (
                "-places-hidden",
                ", and hides places beyond the text",
                _HIDDEN_PLACES + _OVER_FEATURES.format(".masked_fill(beyond, -math.inf)"),
            ),
        )
    ),
    Variant(
        tag="sliding-window-changes-its-input",
        description="Scales Q in place: the caller's tensor is changed",
        message="An input is no longer what it was. A quotient or a sum "
        "makes a new tensor. What writes into the one that you were given is an assignment to a "
        "part of it, one that computes and assigns at once, or a function whose name ends with an "
        "underscore. Look for such a line.",
        edits={"queries = Q": "queries = Q.div_(math.sqrt(d))", "scores / math.sqrt(d)": "scores"},
    ),
    Variant(
        tag="sliding-window-squeezed",
        description="Squeezes the result: axes of length 1 are lost",
        message="Your result has lost an axis of length 1. `squeeze` without a number drops every "
        "such axis, be it that of a batch of one sentence or that of a single token. The result "
        "should have three axes, whatever their lengths.",
        edits={"return output": "return output.squeeze()"},
    ),
)

EXAMPLES = (
    WorkedExample(
        """
A batch of two sentences, each of two tokens, with a window of 1. The sentences have nothing to do
with each other. The queries are 0 and 1 in both; e^1.1 = 3.

The first sentence has the keys 1.1 and 0, and the values 4 and 0. Its first token finds both
alike: 0.5 · 4 + 0.5 · 0 = 2. Its second gives them 3/4 = 0.75 and 1/4 = 0.25, and gets
0.75 · 4 + 0.25 · 0 = 3.

The second sentence has the keys 0 and 1.1, and the values 8 and 0: 0.5 · 8 + 0.5 · 0 = 4, then
0.25 · 8 + 0.75 · 0 = 2.

In yours, which sentence comes out right? A query meets the keys, and takes home the values, of its
own sentence. Where do two sentences meet in your code, or keys and queries change places?""",
        """\
Q = torch.tensor([[[0.0], [1.0]], [[0.0], [1.0]]])
K = torch.tensor([[[1.0986], [0.0]], [[0.0], [1.0986]]])
V = torch.tensor([[[4.0], [0.0]], [[8.0], [0.0]]])
sliding_window_attention(Q, K, V, 1)[:, :, 0]""",
        [[2.0, 3.0], [4.0, 2.0]],
    ),
)
