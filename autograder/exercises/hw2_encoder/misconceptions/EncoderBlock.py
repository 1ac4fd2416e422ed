"""What learners get wrong in EncoderBlock."""  # noqa: N999 - the name of the exercise

from __future__ import annotations

from autograder.exercises.hw2_encoder.everywhere import (
    dropout_in_eval_mode,
    nothing_returned,
    other_names,
)
from autograder.misconceptions import Variant

REFERENCE = """\
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, key_padding_mask=None):
        attended, _ = self.self_attn(x, x, x, key_padding_mask=key_padding_mask)
        attended = self.dropout(attended)
        total = x + attended
        normed = self.norm1(total)
        hidden = F.relu(self.linear1(normed))
        transformed = self.linear2(hidden)
        transformed = self.dropout(transformed)
        total = normed + transformed
        result = self.norm2(total)
        return result
"""

_ATTEND = "attended, _ = self.self_attn(x, x, x, key_padding_mask=key_padding_mask)"

WRONG_RESIDUAL = (
    Variant(
        tag="block-no-residual-around-attention",
        description="No residual around attention",
        message="Nothing leads past attention in your block: a token's own vector is lost once it "
        "has looked at the others. In the picture an arrow runs around each sublayer. What is it "
        "added to, and when?",
        edits={"x + attended": "attended"},
    ),
    Variant(
        tag="block-no-residual-around-feed-forward",
        description="No residual around the feed-forward network",
        message="Nothing leads past the feed-forward network in your block, so what attention has "
        "found survives only if linear2 rebuilds it. In the picture an arrow runs around this "
        "sublayer as well. Where does it begin?",
        edits={"normed + transformed": "transformed"},
    ),
    Variant(
        tag="block-second-residual-from-x",
        description="The second residual is the block's input, not what norm1 returned",
        message="Your second residual starts at the input of the block, so what attention added is "
        "skipped. Each residual leads around one sublayer. Which tensor goes into the second one?",
        edits={"normed + transformed": "x + transformed"},
    ),
    Variant(
        tag="block-feed-forward-reads-x",
        description="The feed-forward network reads the block's input",
        message="Your feed-forward network reads the input of the block, so it works beside "
        "attention, not on what attention found. In the picture, which box does its arrow come "
        "from?",
        edits={"self.linear1(normed)": "self.linear1(x)"},
    ),
    Variant(
        tag="block-residual-in-place",
        description="Adds the residual in place and so changes the caller's x",
        message="Your result is right, but the caller's x isn't what it was: `x += …` writes into "
        "the tensor that you were given. Which way of adding makes a new one?",
        source=REFERENCE.replace("total = x + attended", "total = x.add_(attended)"),
    ),
)

WRONG_NORM = (
    Variant(
        tag="block-pre-norm",
        description="Pre-norm: normalises before each sublayer instead of after each sum",
        message="Your norms stand before the sublayers, which is called pre-norm; many later "
        "models do that. The paper's block normalises elsewhere, and then the same weights mean "
        "something else. In the picture, which box follows each sum?",
        source=REFERENCE.replace("x, x, x", "y, y, y")
        .replace("        attended, _", "        y = self.norm1(x)\n        attended, _")
        .replace("self.norm1(total)", "total")
        .replace("self.linear1(normed)", "self.linear1(self.norm2(normed))")
        .replace("self.norm2(total)", "total"),
    ),
    Variant(
        tag="block-norm-before-the-sum",
        description="Normalises each sublayer's output, then adds the residual",
        message="You normalise what each sublayer returns and add the residual afterwards, so the "
        "sums grow from block to block. The formula has one pair of brackets around something. "
        "What does it put inside LayerNorm(…)?",
        source=REFERENCE.replace("x + attended", "x + self.norm1(attended)")
        .replace("self.norm1(total)", "total")
        .replace("normed + transformed", "normed + self.norm2(transformed)")
        .replace("self.norm2(total)", "total"),
    ),
    Variant(
        tag="block-one-norm-twice",
        description="Uses norm1 in both places",
        message="You call norm1 twice and norm2 never. Fresh norms are all alike, so at first "
        "nobody can tell; once trained, each has a scale and a shift of its own. Which one belongs "
        "around the feed-forward network?",
        edits={"self.norm2(": "self.norm1("},
    ),
    Variant(
        tag="block-first-norm-missing",
        description="Doesn't apply norm1",
        message="After attention and its residual, your block goes straight on: norm1 is made but "
        "never called. Follow the formula for one sublayer from the inside out. What is the last "
        "step?",
        edits={"self.norm1(total)": "total"},
    ),
    Variant(
        tag="block-second-norm-missing",
        description="Doesn't apply norm2",
        message="Your block ends with a sum: norm2 is made but never called, so the next block "
        "gets larger and larger numbers. Follow the formula for one sublayer from the inside out. "
        "What is the last step?",
        edits={"self.norm2(total)": "total"},
    ),
)

WRONG_ATTENTION = (
    Variant(
        tag="block-batch-first-forgotten",
        description="Makes self_attn without batch_first=True",
        message="In your block each token attends to the tokens in the same place of *other* "
        "sentences: torch's attention takes the first axis for the sequence unless told otherwise. "
        "The shapes give no sign of it. Which argument tells it where the batch is?",
        edits={", batch_first=True": ""},
    ),
    Variant(
        tag="block-padding-ignored",
        description="Doesn't pass key_padding_mask on to attention",
        message="Your block takes a `key_padding_mask`, but real tokens still look at the padding: "
        "the mask never reaches those who decide what is looked at. Which of the block's parts "
        "has an argument for it?",
        edits={_ATTEND: "attended, _ = self.self_attn(x, x, x)"},
    ),
    Variant(
        tag="block-padding-inverted",
        description="Inverts key_padding_mask: attends to the padding alone",
        message="In your block, tokens look at the padding and at nothing else. This mask is "
        "torch's, not yours: here True means *ignore this token*. What does torch's attention "
        "expect, and what do you hand over?",
        edits={
            _ATTEND: "hidden = None if key_padding_mask is None else ~key_padding_mask\n"
            "        attended, _ = self.self_attn(x, x, x, key_padding_mask=hidden)"
        },
    ),
    Variant(
        tag="block-always-causal",
        description="Hides later tokens with a causal mask",
        message="In your block a token sees only what stands before it. That is for a decoder, "
        "which must not look ahead; an encoder reads the whole sentence at once. Which mask do you "
        "pass that nobody asked for?",
        source=REFERENCE.replace(
            "key_padding_mask=key_padding_mask)",
            "key_padding_mask=key_padding_mask,"
            " attn_mask=torch.ones(x.shape[1], x.shape[1]).triu(1).bool())",
        ),
    ),
    Variant(
        tag="block-pair-not-unpacked",
        description="Goes on with the pair that self_attn returns",
        message="`self_attn` returns two things, and you go on with both at once: a tuple can't be "
        "dropped out or added to x. What are the two, and which one do you need?",
        source=REFERENCE.replace("attended, _ =", "attended ="),
    ),
)

WRONG_FEED_FORWARD = (
    Variant(
        tag="block-no-relu",
        description="No ReLU between linear1 and linear2",
        message="Between linear1 and linear2 of your block nothing happens, so the two are as good "
        "as a single layer. Your FeedForward knows what belongs there.",
        edits={"F.relu(self.linear1(normed))": "self.linear1(normed)"},
    ),
    Variant(
        tag="block-gelu",
        description="GELU instead of ReLU",
        message="Between linear1 and linear2 of your block stands GELU, as in many later models. "
        "Small negative features get through it. What did your FeedForward do with them?",
        edits={"F.relu(self.linear1(normed))": "F.gelu(self.linear1(normed))"},
    ),
)

WRONG_DROPOUT = (
    dropout_in_eval_mode(
        "block",
        REFERENCE.replace("self.dropout(attended)", "F.dropout(attended, 0.1)").replace(
            "self.dropout(transformed)", "F.dropout(transformed, 0.1)"
        ),
    ),
    Variant(
        tag="block-no-dropout",
        description="What the sublayers return doesn't drop out",
        message="In train mode, what your two sublayers return goes into the sums as it is. (The "
        "`dropout` of nn.MultiheadAttention acts on its weights, which is another place.) The "
        "formula for a sublayer has three parts around Sublayer(x): which is missing in yours?",
        source=REFERENCE.replace("(d_model, n_heads, dropout,", "(d_model, n_heads,")
        .replace("        attended = self.dropout(attended)\n", "")
        .replace("        transformed = self.dropout(transformed)\n", ""),
    ),
    Variant(
        tag="block-no-dropout-after-attention",
        description="What attention returns doesn't drop out",
        message="What attention returns goes into the sum as it is, in train mode too. The "
        "`dropout` of nn.MultiheadAttention acts on its weights, which is another place. Where "
        "does the formula for a sublayer put Dropout?",
        edits={"self.dropout(attended)": "attended"},
    ),
    Variant(
        tag="block-no-dropout-after-feed-forward",
        description="What the feed-forward network returns doesn't drop out",
        message="What linear2 returns goes into the sum as it is, in train mode too. Dropout among "
        "the hidden features, if you have it, is another place. Where does the formula for a "
        "sublayer put Dropout?",
        edits={"self.dropout(transformed)": "transformed"},
    ),
    Variant(
        tag="block-dropout-rate-fixed",
        description="Doesn't use the argument dropout for nn.Dropout",
        message="Your block drops out even with `dropout=0.0`: it has a rate of its own. Whoever "
        "makes the block wants to choose. Where is a number written that should be a name?",
        source=REFERENCE.replace("nn.Dropout(dropout)", "nn.Dropout(0.1)"),
    ),
)

WRONG_MODULE = (
    nothing_returned("block", REFERENCE.replace("return result", "result")),
    other_names("block", "self_attn", REFERENCE.replace("self.self_attn", "self.attention")),
    Variant(
        tag="block-weights-returned-too",
        description="Returns (result, weights) where the result alone is asked for",
        message="You return a pair. The next block expects a single tensor, of the same shape as "
        "x. Which of your two is that?",
        source=REFERENCE.replace("attended, _ =", "attended, weights =").replace(
            "return result", "return result, weights"
        ),
    ),
)

MISCONCEPTIONS = (
    *WRONG_RESIDUAL,
    *WRONG_NORM,
    *WRONG_ATTENTION,
    *WRONG_FEED_FORWARD,
    *WRONG_DROPOUT,
    *WRONG_MODULE,
)
