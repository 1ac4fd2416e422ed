"""What learners get wrong in DecoderBlock: parts."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="decoder-batch-first-forgotten",
        description="Makes both attentions without batch_first=True",
        message="torch's attention takes the first axis for the sequence unless told otherwise, so "
        "yours lets the first token of each *sequence* look at those of the others, and the mask "
        "doesn't even fit. Which argument tells it where the batch is?",
        edits={", batch_first=True": ""},
    ),
    Variant(
        tag="decoder-no-relu",
        description="No ReLU between linear1 and linear2",
        message="Between linear1 and linear2 of your block nothing happens, so the two are as good "
        "as a single layer. What stood between them in your encoder?",
        edits={"F.relu(self.linear1(z))": "self.linear1(z)"},
    ),
    Variant(
        tag="decoder-gelu",
        description="GELU instead of ReLU",
        message="Between linear1 and linear2 of your block stands GELU, as in many later models. "
        "Small negative features get through it. What did your encoder do with them?",
        edits={"F.relu(self.linear1(z))": "F.gelu(self.linear1(z))"},
    ),
    Variant(
        tag="decoder-feed-forward-reads-norm1",
        description="The feed-forward network reads what norm1 returned",
        message="Your feed-forward network reads what self-attention made, so it knows nothing of "
        "what cross-attention found. In the picture, which box does its arrow come from?",
        edits={"self.linear1(z)": "self.linear1(y)"},
    ),
    Variant(
        tag="decoder-no-dropout",
        description="What the sublayers return doesn't drop out",
        message="In train mode, what your sublayers return goes into the sums as it is. (The "
        "`dropout` of nn.MultiheadAttention acts on its weights, which is another place.) Where "
        "does the formula for a sublayer put Dropout?",
        edits={
            "        attended = self.dropout(attended)\n": "",
            "        found = self.dropout(found)\n": "",
            "        transformed = self.dropout(transformed)\n": "",
        },
        pairs=False,
    ),
    Variant(
        tag="decoder-dropout-rate-fixed",
        description="Doesn't use the argument dropout for nn.Dropout",
        message="Your block drops out even with `dropout=0.0`: it has a rate of its own. Whoever "
        "makes the block wants to choose. Where is a number written that should be a name?",
        edits={"nn.Dropout(dropout)": "nn.Dropout(0.1)"},
        pairs=False,
    ),
    Variant(
        tag="decoder-pair-not-unpacked",
        description="Goes on with the pair that an attention returns",
        message="`nn.MultiheadAttention` returns two things, and you go on with both at once: a "
        "tuple can't be dropped out or added to x. What are the two, and which one do you need?",
        edits={"attended, _ =": "attended ="},
        pairs=False,
    ),
    Variant(
        tag="decoder-other-names",
        description="Has no attribute multihead_attn: names of its own, or never made",
        message="Your block has no attribute `multihead_attn`, so we can't set its weights, and "
        "nothing else could be tested. Capitals and underscores count. How do the names in your "
        "`__init__` differ from those in the exercise?",
        edits={"self.multihead_attn": "self.cross_attn"},
        pairs=False,
    ),
)
