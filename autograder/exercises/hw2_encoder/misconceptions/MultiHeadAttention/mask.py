"""What learners get wrong in MultiHeadAttention: mask."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

from .reference import FILL

MISCONCEPTIONS = (
    Variant(
        tag="multi-head-mask-inverted",
        description="Takes True in the mask for may not attend",
        message="Your heads look at exactly the keys that the mask hides. In masks that you write, "
        "True means *may attend*. Where does your code give a key a very low score: where the mask "
        "is True, or where it is False?",
        edits={FILL: "scores = scores.masked_fill(mask, -math.inf)"},
    ),
    Variant(
        tag="multi-head-mask-without-effect",
        description="Ignores the mask, or drops the result of masked_fill",
        message="With or without a mask, your module answers the same. Either it never looks at "
        "the mask, or what it makes of it gets lost: a method without an underscore at "
        "its end leaves its tensor as it is and *returns* a new one. What becomes of "
        "your mask?",
        edits={FILL: "scores.masked_fill(~mask, -math.inf)"},
    ),
    Variant(
        tag="multi-head-mask-of-any-query",
        description="Hides a key only where no query may see it: the mask is reduced over queries",
        message="Your mask hides a key only if no query may see it: what may differ from query to "
        "query has been reduced to one answer for all. In (n_q, n_k) each row is a query's own. "
        "What do you do to the mask before it meets the scores?",
        edits={FILL: "scores = scores.masked_fill(~mask.any(-2, keepdim=True), -math.inf)"},
    ),
    Variant(
        tag="multi-head-hidden-scores-near-zero",
        description="Fills hidden scores with ±1e-9 or 0 (also scores * mask)",
        message="Hidden keys still get attention: their scores become 0, or as good as 0, like "
        "-1e-9 (a minus nine in the exponent makes a number tiny, not low). To softmax, 0 is a "
        "score like any other, as e⁰ = 1. e^score all but vanishes only where the score is far "
        "below all others.",
        edits={FILL: "scores = scores.masked_fill(~mask, -1e-9)"},
    ),
    Variant(
        tag="multi-head-scores-of-zero-hidden",
        description="Multiplies scores by the mask, and hides each that is exactly 0",
        message="You hide every score that is exactly 0, as if only hidden keys had such. A key in "
        "sight may have one, too: a query of zeros finds all keys so, and then nobody is left to "
        "share among. Which keys are hidden, the mask says, and not the scores.",
        edits={FILL: "scores = scores.masked_fill(scores * mask == 0, -math.inf)"},
    ),
    Variant(
        tag="multi-head-mask-after-softmax",
        description="Multiplies the weights by the mask: rows no longer sum to 1",
        message="You hide keys after the softmax. By then they have taken their share, and what is "
        "left in a row no longer sums to 1. A hidden key should count as if it had never been "
        "there, so it has to be left out before.",
        edits={FILL: "pass", "weights @ V": "(weights if mask is None else weights * mask) @ V"},
    ),
    Variant(
        tag="multi-head-mask-times-infinity",
        description="Lets infinity make nan: times the mask, with a plus, or after the softmax",
        message="Your result turns into nan as soon as there is a mask. 0 · ∞ gives nan, and so do "
        "softmax of plus infinity, or an infinite weight. How can *minus* infinity get into the "
        "hidden places alone, before the softmax, without being multiplied by anything?",
        edits={FILL: "scores = scores + ~mask * -math.inf"},
    ),
    Variant(
        tag="multi-head-hidden-scores-high",
        description="Fills hidden scores with +1e9 instead of -1e9",
        message="Your heads look at the hidden keys and at nothing else: they get the highest "
        "score of all. To softmax a large number is a good one. A score that should count for "
        "nothing must be low.",
        edits={FILL: "scores = scores.masked_fill(~mask, 1e9)"},
    ),
    *(
        Variant(
            tag=f"multi-head-hidden-scores-minus-{word}",
            description=f"Fills hidden scores with -{number}",
            message=f"Hidden keys still get attention: −{number} is a score like any other, and "
            "some visible ones may be as low. Look for a score so low that e^score vanishes, "
            "whatever the others are.",
            edits={FILL: f"scores = scores.masked_fill(~mask, -{number})"},
        )
        for number, word in ((1, "one"), (10, "ten"))
    ),
    Variant(
        tag="multi-head-hidden-scores-in-sight",
        description="Fills hidden scores with a number that isn't low, such as -10 before the root",
        message="Hidden keys still get a share of the attention: where all keys "
        "fit a query alike, theirs is smaller than that of the others, but not 0. How low is the "
        "score that you give to a hidden key when it comes to the softmax?",
        edits={
            FILL: (
                "scores = (Q @ K.transpose(-2, -1)).masked_fill(~mask, -10)"
                " / math.sqrt(self.d_head)"
            )
        },
    ),
    Variant(
        tag="multi-head-mask-added-as-a-number",
        description="Adds the mask to the scores: visible ones gain 1",
        message="You add the mask to the scores, where True counts as 1: visible keys gain one "
        "point, and hidden ones go on as if nothing had happened. What is added to a score should "
        "make softmax give it 0.",
        edits={FILL: "scores = scores + mask"},
    ),
    Variant(
        tag="multi-head-mask-subtracted-from-one",
        description="Computes 1 - mask: torch doesn't subtract booleans",
        message="You subtract the mask from a number, and torch refuses: it doesn't subtract "
        "booleans. To turn a boolean tensor round there is an operator of its own; the error names "
        "it.",
        edits={FILL: "scores = scores + (1 - mask) * -1e9"},
    ),
    Variant(
        tag="multi-head-mask-after-softmax-filled",
        description="Fills hidden weights with -1e9 after the softmax",
        message="You fill the hidden places after the softmax, so a weight becomes minus a "
        "billion, and the result explodes. Such a number belongs among the scores, where softmax "
        "still makes 0 of it.",
        edits={
            FILL: "pass",
            "weights @ V": "(weights if mask is None else weights.masked_fill(~mask, -1e9)) @ V",
        },
    ),
    Variant(
        tag="multi-head-if-mask",
        description="Asks `if mask:`, which has no answer for a tensor",
        message="Your code asks whether the mask is true, as a bare `if`, `not`, `and` or `or` "
        "does, and a tensor of many answers has no single one. You want to know whether there *is* "
        "a mask. Python has a comparison for just that.",
        edits={"if mask is not None:": "if mask:"},
    ),
    Variant(
        tag="multi-head-mask-required",
        description="Makes the mask a required argument",
        message="Your `forward` insists on a mask, but without one it should let every query see "
        "every key. An argument with a default may be left out.",
        edits={"mask=None": "mask"},
    ),
    Variant(
        tag="multi-head-always-causal",
        description="Hides later keys, mask or not",
        message="Your queries see only the keys up to their own place, mask or not. That is for a "
        "decoder; here nothing is hidden that the mask doesn't hide, and queries and keys need "
        "not even be the same tokens. Which line made that mask?",
        edits={
            "        weights =": (
                "        scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), "
                "-math.inf)\n"
                "        weights ="
            )
        },
    ),
    Variant(
        tag="multi-head-causal-without-a-mask",
        description="Hides later keys where there is no mask",
        message="Where no mask is given, you hide later keys. No mask means that every query may "
        "attend every key. Which line of yours makes one?",
        edits={
            "        weights =": (
                "        else:\n"
                "            scores = "
                "scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -math.inf)\n"
                "        weights ="
            )
        },
    ),
)

EXAMPLES = (
    WorkedExample(
        """
Two heads of one column each, two queries and two keys, with the values (4, 0) and (0, 8). The mask
is (True, False): both queries may attend to the first key, and not to the second.

A hidden key gets no attention at all, whatever its score is. So the first gets all of it, in each
head: 1 · 4 + 0 · 0 = 4 and 1 · 0 + 0 · 8 = 0. Both outputs are (4, 0), as if there were no
second token.

Without a mask the first would be (3, 4), with the opposite mask (0, 8). If yours lies in between,
the hidden key has kept a share. A score of 0 isn't low, since e^0 = 1, and −10 keeps a little, too.
Which score makes a share exactly 0, and before which step must it be there?""",
        """\
attention = MultiHeadAttention(2, 2)
for layer in (attention.W_Q, attention.W_K, attention.W_V, attention.W_O):
    layer.weight.data, layer.bias.data = torch.eye(2), torch.zeros(2)
query = torch.tensor([[[1.0, 0.0], [0.0, 1.0]]])
key = torch.tensor([[[1.0986, 1.0986], [0.0, 0.0]]])
value = torch.tensor([[[4.0, 0.0], [0.0, 8.0]]])
attention(query, key, value, mask=torch.tensor([[True, False]]))""",
        [[[4.0, 0.0], [4.0, 0.0]]],
    ),
)
