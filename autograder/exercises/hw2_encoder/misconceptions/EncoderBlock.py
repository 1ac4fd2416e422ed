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
    Variant(
        tag="block-feed-forward-reads-attention",
        description="The feed-forward network reads attention's output, before residual and norm",
        message="Your feed-forward network reads what attention returned, without the residual "
        "and the norm that follow. In the picture, which box does its arrow come from?",
        source=REFERENCE.replace("self.linear1(normed)", "self.linear1(attended)"),
    ),
    Variant(
        tag="block-second-residual-from-attention",
        description="The second residual is what attention returned",
        message="Your second residual is what attention returned, before it met the first "
        "residual and the norm. Each residual leads around one sublayer. Which tensor goes into "
        "the second one?",
        source=REFERENCE.replace("normed + transformed", "attended + transformed"),
    ),
    Variant(
        tag="block-residual-twice",
        description="Adds x twice around attention",
        message="x counts double in your first sum. A residual is added once: is it in the tensor "
        "already, when you add it again?",
        source=REFERENCE.replace("total = x + attended", "total = x + x + attended"),
    ),
    Variant(
        tag="block-no-attention",
        description="Doesn't use what attention returned",
        message="What attention returns plays no part in your result, so no token learns of "
        "another. Which sum should it go into?",
        source=REFERENCE.replace("total = x + attended", "total = x"),
    ),
    Variant(
        tag="block-no-feed-forward",
        description="Ends after attention: no feed-forward sublayer",
        message="Your block ends after the first sublayer: linear1, linear2 and norm2 are made "
        "but never called. Which half of the picture is missing?",
        source=REFERENCE.replace("result = self.norm2(total)", "result = normed"),
    ),
    Variant(
        tag="block-feed-forward-returned",
        description="Returns what linear2 returns, before the last sum and norm",
        message="You return what linear2 gives, without the residual and the norm around it. "
        "Follow the formula for one sublayer from the inside out: how many steps are left?",
        source=REFERENCE.replace("result = self.norm2(total)", "result = self.linear2(hidden)"),
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
    Variant(
        tag="block-norms-exchanged",
        description="Uses norm2 after attention and norm1 at the end",
        message="norm1 and norm2 have changed places. Fresh norms are all alike, so at first "
        "nobody can tell; once trained, each has a scale and a shift of its own. Which one "
        "belongs around attention?",
        source=REFERENCE.replace("self.norm1(total)", "self.norm2(total)").replace(
            "result = self.norm2", "result = self.norm1"
        ),
    ),
    Variant(
        tag="block-second-norm-twice",
        description="Uses norm2 in both places, or one norm under two names",
        message="Both of your norms act with the weights of norm2. Fresh norms are all alike, so "
        "at first nobody can tell; once trained, each has a scale and a shift of its own. Is "
        "`nn.LayerNorm` called twice in `__init__`, and each of the two once in `forward`?",
        source=REFERENCE.replace("self.norm1(", "self.norm2("),
    ),
    Variant(
        tag="block-first-norm-before-the-sum",
        description="Normalises what attention returns, then adds the residual",
        message="You normalise what attention returns and add the residual afterwards. The "
        "formula has one pair of brackets around something. What does it put inside LayerNorm(…)?",
        source=REFERENCE.replace("x + attended", "x + self.norm1(attended)").replace(
            "self.norm1(total)", "total"
        ),
    ),
    Variant(
        tag="block-second-norm-before-the-sum",
        description="Normalises what linear2 returns, then adds the residual",
        message="You normalise what the feed-forward network returns and add the residual "
        "afterwards. The formula has one pair of brackets around something. What does it put "
        "inside LayerNorm(…)?",
        source=REFERENCE.replace(
            "normed + transformed", "normed + self.norm2(transformed)"
        ).replace("self.norm2(total)", "total"),
    ),
    Variant(
        tag="block-pre-norm-of-the-query-alone",
        description="Pre-norm, with the norm on the query but not on key and value",
        message="Your norms stand before the sublayers (pre-norm), and in attention on the query "
        "alone. The paper's block normalises elsewhere, and there query, key and value are one "
        "tensor. In the picture, which box follows each sum?",
        source=REFERENCE.replace("x, x, x", "self.norm1(x), x, x")
        .replace("self.norm1(total)", "total")
        .replace("self.linear1(normed)", "self.linear1(self.norm2(normed))")
        .replace("self.norm2(total)", "total"),
    ),
    Variant(
        tag="block-pre-norm-residual-normalised",
        description="Pre-norm, with residuals from the normalised tensors",
        message="Your norms stand before the sublayers (pre-norm), and the residuals start behind "
        "them. The paper's block normalises elsewhere. In the picture, which box follows each "
        "sum, and where does its arrow begin?",
        source=REFERENCE.replace(
            "        attended, _", "        x = self.norm1(x)\n        attended, _"
        )
        .replace("normed = self.norm1(total)", "normed = self.norm2(total)")
        .replace("self.norm2(total)\n        return", "total\n        return"),
    ),
    Variant(
        tag="block-pre-norm-around-attention",
        description="Pre-norm around attention, post-norm around the feed-forward network",
        message="Your first norm stands before attention, your second after its sum. The paper's "
        "block has both in the same place. In the picture, which box follows each sum?",
        source=REFERENCE.replace("x, x, x", "y, y, y")
        .replace("        attended, _", "        y = self.norm1(x)\n        attended, _")
        .replace("self.norm1(total)", "total"),
    ),
    Variant(
        tag="block-norm-before-and-after",
        description="Normalises before attention and after the sum",
        message="norm1 is called twice around attention: on x before, and on the sum after. Each "
        "norm has one turn. In the picture, which box follows the sum, and is there one in front "
        "of attention?",
        source=REFERENCE.replace("x, x, x", "y, y, y").replace(
            "        attended, _", "        y = self.norm1(x)\n        attended, _"
        ),
    ),
    Variant(
        tag="block-norm-over-the-sentence",
        description="Normalises over all tokens of a sentence together",
        message="Your first norm measures mean and spread over a whole sentence, so padding and "
        "length have a say in every token. A layer norm looks at one token's features at a time. "
        "Along which axis do those lie?",
        source=REFERENCE.replace(
            "self.norm1(total)",
            ("F.layer_norm(total, total.shape[1:]) * self.norm1.weight + self.norm1.bias"),
        ),
    ),
    Variant(
        tag="block-norm-epsilon",
        description="Makes the norms with an eps of its own (1e-3)",
        message="Your norms have an `eps` of their own, so where a token's features lie close "
        "together, the result differs. The exercise asks for `nn.LayerNorm` as it comes. Which of "
        "its arguments do you set?",
        source=REFERENCE.replace("nn.LayerNorm(d_model)", "nn.LayerNorm(d_model, eps=1e-3)"),
    ),
    Variant(
        tag="block-norm-without-weights",
        description="Makes the norms without scale and shift",
        message="Your norms have neither scale nor shift, while the exercise asks for "
        "`nn.LayerNorm` as it comes, and so nothing else could be tested. Which of its arguments "
        "do you set?",
        source=REFERENCE.replace(
            "nn.LayerNorm(d_model)", "nn.LayerNorm(d_model, elementwise_affine=False)"
        ),
    ),
    Variant(
        tag="block-norm-of-the-hidden-size",
        description="Makes norm2 for d_ff features",
        message="Your norm2 is made for d_ff features. By the time it is called, linear2 has led "
        "back to the width of x. How many features has the sum that it normalises?",
        source=REFERENCE.replace(
            "self.norm2 = nn.LayerNorm(d_model)", "self.norm2 = nn.LayerNorm(d_ff)"
        ),
    ),
    Variant(
        tag="block-norm-of-a-fixed-length",
        description="Makes the norms for (10, d_model): one length only",
        message="Your norms are made for sentences of 10 tokens, and normalise each as a whole. A "
        "layer norm looks at one token's features at a time, however many tokens there are. Which "
        "size alone does it need?",
        source=REFERENCE.replace("nn.LayerNorm(d_model)", "nn.LayerNorm((10, d_model))"),
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
    Variant(
        tag="block-padding-as-attention-mask",
        description="Passes key_padding_mask as attn_mask",
        message="You hand `key_padding_mask` over as `attn_mask`, which is another thing: (query, "
        "key), the same for all sentences. This mask has one row for each sentence. Which "
        "argument of torch's attention is called the same?",
        source=REFERENCE.replace(
            "x, x, x, key_padding_mask=key_padding_mask", "x, x, x, attn_mask=key_padding_mask"
        ),
    ),
    Variant(
        tag="block-padding-added-as-a-number",
        description="Turns key_padding_mask into floats: 1.0 is added to hidden scores",
        message="You make floats of the mask, and torch adds those to the scores: padding gains "
        "one point, instead of being hidden. A boolean mask is understood as it is. What is the "
        "conversion for?",
        source=REFERENCE.replace(
            "key_padding_mask=key_padding_mask",
            ("key_padding_mask=None if key_padding_mask is None else key_padding_mask.float()"),
        ),
    ),
    Variant(
        tag="block-padding-transposed",
        description="Transposes key_padding_mask",
        message="You transpose the mask, so that its rows belong to tokens. Torch expects (batch, "
        "seq), as you are given it. With `batch_first=True`, what is left to turn?",
        source=REFERENCE.replace(
            "key_padding_mask=key_padding_mask",
            ("key_padding_mask=None if key_padding_mask is None else key_padding_mask.T"),
        ),
    ),
    Variant(
        tag="block-padding-of-the-first-sentence",
        description="Uses the first sentence's padding for all",
        message="All sentences get the padding of the first one. Sentences have lengths of their "
        "own: each has its own row of the mask. What do you do with the others?",
        source=REFERENCE.replace(
            "key_padding_mask=key_padding_mask",
            (
                "key_padding_mask=None if key_padding_mask is None else "
                "key_padding_mask[:1].expand(x.shape[:2])"
            ),
        ),
    ),
    Variant(
        tag="block-padding-zeroed",
        description="Sets padded tokens to 0 instead of hiding them",
        message="You set padded tokens to 0, but they can still be attended to: a key of nothing "
        "but biases gets a score like any other. To be hidden is more than to be empty. Which of "
        "the block's parts has an argument for the mask?",
        source=REFERENCE.replace(
            ("        attended, _ = self.self_attn(x, x, x, key_padding_mask=key_padding_mask)"),
            (
                "        if key_padding_mask is not None:\n"
                "            x = x.masked_fill(key_padding_mask.unsqueeze(-1), 0.0)\n"
                "        attended, _ = self.self_attn(x, x, x)"
            ),
        ),
    ),
    Variant(
        tag="block-padding-required",
        description="Makes key_padding_mask a required argument",
        message="Your `forward` insists on a mask, but without one all tokens are real. How does "
        "Python say in the first line that an argument may be left out?",
        source=REFERENCE.replace("key_padding_mask=None", "key_padding_mask"),
    ),
    Variant(
        tag="block-weights-instead-of-output",
        description="Goes on with the second of the pair: the attention weights",
        message="You go on with attention's weights, (seq, seq), where its output is needed. "
        "`self_attn` returns two things: which comes first?",
        source=REFERENCE.replace("attended, _ =", "_, attended ="),
    ),
    Variant(
        tag="block-pair-added",
        description="Adds the pair that self_attn returns to x",
        message="`self_attn` returns two things, and you add both at once to x: a tuple is no "
        "tensor. What are the two, and which one do you need?",
        source=REFERENCE.replace("attended, _ =", "attended =").replace(
            "        attended = self.dropout(attended)\n", ""
        ),
    ),
    Variant(
        tag="block-two-heads-always",
        description="Makes attention with two heads, whatever n_heads is",
        message="Your attention has two heads, whatever is asked for. Whoever makes the block "
        "wants to choose. Which argument have you not used?",
        source=REFERENCE.replace("(d_model, n_heads, dropout", "(d_model, 2, dropout"),
    ),
    Variant(
        tag="block-one-head-always",
        description="Makes attention with one head, whatever n_heads is",
        message="Your attention has a single head, whatever is asked for. Whoever makes the block "
        "wants to choose. Which argument have you not used?",
        source=REFERENCE.replace("(d_model, n_heads, dropout", "(d_model, 1, dropout"),
    ),
    Variant(
        tag="block-four-heads-always",
        description="Makes attention with four heads, whatever n_heads is",
        message="Your attention has four heads, whatever is asked for. Whoever makes the block "
        "wants to choose. Which argument have you not used?",
        source=REFERENCE.replace("(d_model, n_heads, dropout", "(d_model, 4, dropout"),
    ),
    Variant(
        tag="block-width-and-heads-exchanged",
        description="Makes nn.MultiheadAttention(n_heads, d_model)",
        message="Width and number of heads have changed places where you make the attention. In "
        "`nn.MultiheadAttention(a, b)`, which of the two comes first?",
        source=REFERENCE.replace("(d_model, n_heads, dropout", "(n_heads, d_model, dropout"),
    ),
    Variant(
        tag="block-eight-heads-always",
        description="Makes attention with eight heads, whatever n_heads is",
        message="Your attention has eight heads, whatever is asked for, and not every width can "
        "be shared out among eight. Whoever makes the block wants to choose. Which argument have "
        "you not used?",
        source=REFERENCE.replace("(d_model, n_heads, dropout", "(d_model, 8, dropout"),
    ),
    Variant(
        tag="block-own-attention",
        description="Builds on MultiHeadAttention of part 2 instead of nn.MultiheadAttention",
        message="You build on your own MultiHeadAttention. That would do the same, but its "
        "weights have other names than in PyTorch's block, which this one is compared with; the "
        "exercise asks for `nn.MultiheadAttention`. What else does that one understand, which "
        "yours doesn't?",
        source=REFERENCE.replace(
            ("nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)"),
            "MultiHeadAttention(d_model, n_heads)",
        ).replace(
            ("attended, _ = self.self_attn(x, x, x, key_padding_mask=key_padding_mask)"),
            "attended = self.self_attn(x, x, x)",
        ),
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
    Variant(
        tag="block-relu-last",
        description="ReLU after linear2 instead of linear1",
        message="Your ReLU comes after linear2, so nothing that the network adds can be negative, "
        "and the two layers before it amount to one. Your FeedForward knows where it belongs.",
        source=REFERENCE.replace("F.relu(self.linear1(normed))", "self.linear1(normed)").replace(
            "self.linear2(hidden)", "F.relu(self.linear2(hidden))"
        ),
    ),
    Variant(
        tag="block-relu-twice",
        description="ReLU after each of the two layers",
        message="There is a ReLU after each of your layers. The one in the middle is right; the "
        "one at the end takes every negative number from what the network adds. What does your "
        "FeedForward end with?",
        source=REFERENCE.replace("self.linear2(hidden)", "F.relu(self.linear2(hidden))"),
    ),
    Variant(
        tag="block-leaky-relu",
        description="Leaky ReLU instead of ReLU",
        message="The ReLU of your block leaks: of each negative feature a hundredth gets through. "
        "What did your FeedForward leave of a negative number?",
        source=REFERENCE.replace("F.relu", "F.leaky_relu"),
    ),
    Variant(
        tag="block-tanh",
        description="tanh instead of ReLU",
        message="Between linear1 and linear2 of your block stands a tanh, so every hidden feature "
        "ends up between -1 and 1. What did your FeedForward do with large features?",
        source=REFERENCE.replace("F.relu", "torch.tanh"),
    ),
    Variant(
        tag="block-sigmoid",
        description="Sigmoid instead of ReLU",
        message="Between linear1 and linear2 of your block stands a sigmoid, so every hidden "
        "feature ends up between 0 and 1. What did your FeedForward do with large features?",
        source=REFERENCE.replace("F.relu", "torch.sigmoid"),
    ),
    Variant(
        tag="block-silu",
        description="SiLU instead of ReLU",
        message="Between linear1 and linear2 of your block stands SiLU, as in some later models. "
        "Small negative features get through it. What did your FeedForward do with them?",
        source=REFERENCE.replace("F.relu", "F.silu"),
    ),
    Variant(
        tag="block-softmax-between",
        description="Softmax instead of ReLU",
        message="Between linear1 and linear2 of your block stands a softmax, so the hidden "
        "features share out a single 1. That is for attention. What does your FeedForward do with "
        "one number?",
        source=REFERENCE.replace(
            "F.relu(self.linear1(normed))", "torch.softmax(self.linear1(normed), dim=-1)"
        ),
    ),
    Variant(
        tag="block-d-ff-ignored",
        description="Makes linear1 4 · d_model wide, whatever d_ff is",
        message="Your hidden layer is four times as wide as x, as in the paper, whatever d_ff is. "
        "Whoever makes the block wants to choose. Which argument have you not used?",
        source=REFERENCE.replace(
            "nn.Linear(d_model, d_ff)", "nn.Linear(d_model, 4 * d_model)"
        ).replace("nn.Linear(d_ff, d_model)", "nn.Linear(4 * d_model, d_model)"),
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
        tag="block-dropout-zero-by-default",
        description="Has the default dropout=0.0",
        message="Unless told otherwise, nothing in your block drops out, where a tenth should. "
        "Compare the first line of your `__init__` with the exercise, default by default.",
        source=REFERENCE.replace("dropout=0.1", "dropout=0.0"),
    ),
    Variant(
        tag="block-dropout-half-by-default",
        description="Has the default dropout=0.5",
        message="Unless told otherwise, half of what your sublayers return drops out, where a "
        "tenth should. Compare the first line of your `__init__` with the exercise, default by "
        "default.",
        source=REFERENCE.replace("dropout=0.1", "dropout=0.5"),
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
    Variant(
        tag="block-dropout-after-the-norm",
        description="Drops out the result of norm1, not what the sublayers return",
        message="You drop out what norm1 returns, so the residual loses numbers as well, and "
        "nothing of what linear2 returns drops out. The formula has three parts around "
        "Sublayer(x): in which order, from the inside out?",
        source=REFERENCE.replace("        attended = self.dropout(attended)\n", "")
        .replace("self.norm1(total)", "self.dropout(self.norm1(total))")
        .replace("        transformed = self.dropout(transformed)\n", ""),
    ),
    Variant(
        tag="block-dropout-after-the-second-norm",
        description="Drops out the result of norm2, not what linear2 returns",
        message="You drop out what norm2 returns, so the block hands on vectors with holes in "
        "them, residual and all. The formula has three parts around Sublayer(x): in which order, "
        "from the inside out?",
        source=REFERENCE.replace("        transformed = self.dropout(transformed)\n", "").replace(
            "self.norm2(total)", "self.dropout(self.norm2(total))"
        ),
    ),
    Variant(
        tag="block-dropout-after-both-norms",
        description="Drops out the results of both norms",
        message="You drop out what the norms return, so the residuals lose numbers as well. The "
        "formula has three parts around Sublayer(x): in which order, from the inside out?",
        source=REFERENCE.replace("        attended = self.dropout(attended)\n", "")
        .replace("self.norm1(total)", "self.dropout(self.norm1(total))")
        .replace("        transformed = self.dropout(transformed)\n", "")
        .replace("self.norm2(total)", "self.dropout(self.norm2(total))"),
    ),
    Variant(
        tag="block-dropout-on-the-sums",
        description="Drops out the sums of residual and sublayer",
        message="You drop out the sums, so the residuals lose numbers as well. The formula has "
        "three parts around Sublayer(x): which of them comes first, and what does it act on?",
        source=REFERENCE.replace("        attended = self.dropout(attended)\n", "")
        .replace("self.norm1(total)", "self.norm1(self.dropout(total))")
        .replace("        transformed = self.dropout(transformed)\n", "")
        .replace("self.norm2(total)", "self.norm2(self.dropout(total))"),
    ),
    Variant(
        tag="block-dropout-half",
        description="Drops out a half by default (nn.Dropout() or dropout=0.5)",
        message="Half of what your sublayers return drops out. Unless told otherwise, it should "
        "be a tenth: is `nn.Dropout()` told the rate, and what does the first line of `__init__` "
        "say?",
        source=REFERENCE.replace("nn.Dropout(dropout)", "nn.Dropout()"),
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
    Variant(
        tag="block-four-heads-by-default",
        description="Has the default n_heads=4",
        message="Unless told otherwise, your block has four heads, where eight are asked for. "
        "Compare the first line of your `__init__` with the exercise, default by default.",
        source=REFERENCE.replace("n_heads=8", "n_heads=4"),
    ),
    Variant(
        tag="block-d-ff-of-the-paper",
        description="Has the default d_ff=2048",
        message="Unless told otherwise, your hidden layer has 2048 features, as in the paper. "
        "Compare the first line of your `__init__` with the exercise, default by default.",
        source=REFERENCE.replace("d_ff=512", "d_ff=2048"),
    ),
    Variant(
        tag="block-no-defaults",
        description="Has no defaults: every argument is required",
        message="`EncoderBlock()` should work without any argument, but yours insists on its "
        "sizes. Compare the first line of your `__init__` with the exercise: what stands behind "
        "each name?",
        source=REFERENCE.replace(
            "d_model=128, n_heads=8, d_ff=512, dropout=0.1", "d_model, n_heads, d_ff, dropout"
        ),
    ),
    Variant(
        tag="block-no-default-sizes",
        description="Has a default for dropout alone",
        message="`EncoderBlock()` should work without any argument, but yours insists on its "
        "sizes. Compare the first line of your `__init__` with the exercise: what stands behind "
        "each name?",
        source=REFERENCE.replace(
            "d_model=128, n_heads=8, d_ff=512, dropout=0.1", "d_model, n_heads, d_ff, dropout=0.1"
        ),
    ),
    Variant(
        tag="block-other-names-of-norms",
        description="Has no attribute norm1: another name",
        message="Your module has no attribute `norm1`, so we can't set its weights, and nothing "
        "else could be tested. How do the names in your `__init__` differ from those in the "
        "exercise?",
        source=REFERENCE.replace("self.norm", "self.layer_norm"),
    ),
    Variant(
        tag="block-other-names-of-layers",
        description="Has no attribute linear1: another name, or a FeedForward",
        message="Your module has no attribute `linear1`, so we can't set its weights, and nothing "
        "else could be tested. The block holds the two layers itself, as PyTorch's does. How do "
        "the names in your `__init__` differ from those in the exercise?",
        source=REFERENCE.replace("self.linear", "self.fc"),
    ),
    Variant(
        tag="block-second-norm-never-made",
        description="Never makes norm2",
        message="Your module has no attribute `norm2`, so its weights can't be set, and nothing "
        "else could be tested. The picture has two norms. How many does `__init__` make, and do "
        "they hang on `self`?",
        source=REFERENCE.replace("        self.norm2 = nn.LayerNorm(d_model)\n", ""),
    ),
    Variant(
        tag="block-dropout-never-made",
        description="Uses self.dropout, which was never made",
        message="`forward` calls `self.dropout`, but `__init__` makes no such thing. Which layer "
        "do you need, and what rate is it told?",
        source=REFERENCE.replace("        self.dropout = nn.Dropout(dropout)\n", ""),
    ),
    Variant(
        tag="block-super-missing",
        description="Doesn't call super().__init__()",
        message="Your `__init__` doesn't call the one of nn.Module, which prepares the place "
        "where layers are kept, so the first layer finds none. Which line of the given stub has "
        "gone?",
        source=REFERENCE.replace("        super().__init__()\n", ""),
    ),
    Variant(
        tag="block-first-token-alone",
        description="Returns the first token's vector alone",
        message="You return the first token alone, where all tokens should come out as they went "
        "in: (batch, seq, d_model). The next block needs every one of them. Which index is one "
        "too many?",
        source=REFERENCE.replace("return result", "return result[:, 0]"),
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
