"""What learners get wrong in EncoderBlock: attention."""

from __future__ import annotations

from autograder.testing import Variant

from ... import recurring
from .reference import ATTEND

MISCONCEPTIONS = (
    Variant(
        tag="block-batch-first-forgotten",
        description="Makes self_attn without batch_first=True",
        message="In your block each token attends to the tokens in the same place of *other* "
        "sentences: torch's attention takes the first axis for the sequence unless told otherwise. "
        "The shapes give no sign of it. One argument tells it where the batch is, and then no axes "
        "need to be exchanged.",
        edits={", batch_first=True": ""},
    ),
    Variant(
        tag="block-batch-first-forgotten-mask-turned",
        description="Makes self_attn without batch_first=True, and transposes the mask to fit",
        message="You turn the mask round because self_attn asks for it so. It takes the first axis "
        "of x for positions, and the batch for the second, so that sentences attend to each other. "
        "One argument tells it where the batch is, and then the mask fits as it is.",
        edits={
            ", batch_first=True": "",
            "key_padding_mask=key_padding_mask": (
                "key_padding_mask=None if key_padding_mask is None else key_padding_mask.T"
            ),
        },
    ),
    Variant(
        tag="block-padding-ignored",
        description="Doesn't pass key_padding_mask on to attention",
        message="Your block takes a `key_padding_mask`, but real tokens still look at the padding: "
        "the mask never reaches the part that decides what is looked at. Which of the block's "
        "parts has an argument for it?",
        edits={ATTEND: "attended, _ = self.self_attn(x, x, x)"},
    ),
    Variant(
        tag="block-padding-inverted",
        description="Inverts key_padding_mask: attends to the padding alone",
        message="In your block, tokens look at the padding and at nothing else. This mask is "
        "torch's, not yours: here True means *ignore this token*. torch's attention takes it as it "
        "is.",
        edits={
            ATTEND: "hidden = None if key_padding_mask is None else ~key_padding_mask\n"
            "        attended, _ = self.self_attn(x, x, x, key_padding_mask=hidden)"
        },
    ),
    *(
        Variant(
            tag=f"block-{tag}",
            description=f"Without a mask, hides as padding each token {description}",
            message=recurring.ZEROS_HIDDEN.format(description),
            edits={
                "        attended, _ =": (
                    "        if key_padding_mask is None:\n"
                    f"            key_padding_mask = {asked.format('x')}\n"
                    "        attended, _ ="
                )
            },
        )
        for tag, (description, asked) in recurring.ZEROS.items()
    ),
    Variant(
        tag="block-always-causal",
        description="Hides later tokens with a causal mask",
        message="In your block a token sees only what stands before it. That is for a decoder, "
        "which must not look ahead; an encoder reads the whole sentence at once. Which mask do you "
        "pass that nobody asked for?",
        edits={
            "key_padding_mask=key_padding_mask)": (
                "key_padding_mask=key_padding_mask,"
                " attn_mask=torch.ones(x.shape[1], x.shape[1]).triu(1).bool())"
            )
        },
    ),
    Variant(
        tag="block-pair-not-unpacked",
        description="Goes on with the pair that self_attn returns",
        message="`self_attn` returns two things, and you go on with both at once: a tuple can't be "
        "dropped out or added to x. You need only one of them.",
        edits={"attended, _ =": "attended ="},
    ),
    Variant(
        tag="block-padding-as-attention-mask",
        description="Passes key_padding_mask as attn_mask",
        message="You hand `key_padding_mask` over as `attn_mask`, which is another thing: (query, "
        "key), the same for all sentences. This mask has one row for each sentence. One argument "
        "of torch's attention has the same name.",
        edits={"x, x, x, key_padding_mask=key_padding_mask": "x, x, x, attn_mask=key_padding_mask"},
    ),
    Variant(
        tag="block-padding-added-as-a-number",
        description="Turns key_padding_mask into floats: 1.0 is added to hidden scores",
        message="You make floats of the mask, and torch adds those to the scores: padding gains "
        "one point, instead of being hidden. A boolean mask is understood as it is. What is the "
        "conversion for?",
        edits={
            "key_padding_mask=key_padding_mask": (
                "key_padding_mask=None if key_padding_mask is None else key_padding_mask.float()"
            )
        },
    ),
    Variant(
        tag="block-padding-transposed",
        description="Transposes key_padding_mask",
        message="You transpose the mask, so that its rows belong to tokens. Torch expects (batch, "
        "seq), as you are given it.",
        edits={
            "key_padding_mask=key_padding_mask": (
                "key_padding_mask=None if key_padding_mask is None else key_padding_mask.T"
            )
        },
    ),
    Variant(
        tag="block-padding-of-queries",
        description="Hides every key from the queries that are padding, and no key from others",
        message="Your mask lies on the axis of the *queries*: padding sees nothing, and comes out "
        "as nan, while everybody still sees the padding. What others shouldn't see is padding as "
        "a *key*. Along which axis do the keys of a score matrix lie?",
        edits={
            "x, x, x, key_padding_mask=key_padding_mask": (
                "x, x, x, attn_mask=None if key_padding_mask is None else "
                "key_padding_mask[:, :, None].repeat_interleave(self.self_attn.num_heads, 0)"
                ".expand(-1, -1, x.shape[1])"
            )
        },
    ),
    Variant(
        tag="block-padding-of-other-sentences",
        description="Repeats the mask for the heads in an order that mixes the sentences",
        message="You repeat the mask for the heads of `self_attn`, but in another order than "
        "torch's, where all heads of one sentence come before those of the next. In yours, "
        "sentences get the padding of others. `key_padding_mask` needs no repetition at all: where "
        "could it go as it is?",
        edits={
            "x, x, x, key_padding_mask=key_padding_mask": (
                "x, x, x, attn_mask=None if key_padding_mask is None else key_padding_mask[:, None]"
                ".expand(-1, x.shape[1], -1).repeat(self.self_attn.num_heads, 1, 1)"
            )
        },
    ),
    Variant(
        tag="block-padding-of-the-first-sentence",
        description="Uses the first sentence's padding for all",
        message="All sentences get the padding of the first one. Sentences have lengths of their "
        "own: each has its own row of the mask. What do you do with the others?",
        edits={
            "key_padding_mask=key_padding_mask": (
                "key_padding_mask=None if key_padding_mask is None else "
                "key_padding_mask[:1].expand(x.shape[:2])"
            )
        },
    ),
    Variant(
        tag="block-padding-zeroed",
        description="Sets padded tokens to 0 instead of hiding them",
        message="You set padded tokens to 0, but they can still be attended to: a key of nothing "
        "but biases gets a score like any other. To be hidden is more than to be empty. Which of "
        "the block's parts has an argument for the mask?",
        edits={
            "        attended, _ = self.self_attn(x, x, x, key_padding_mask=key_padding_mask)": (
                "        if key_padding_mask is not None:\n"
                "            x = x.masked_fill(key_padding_mask.unsqueeze(-1), 0.0)\n"
                "        attended, _ = self.self_attn(x, x, x)"
            )
        },
    ),
    Variant(
        tag="block-padding-zeroed-among-keys",
        description="Sets padded keys and values to 0 instead of hiding them",
        message="You set padded keys and values to 0, but they can still be attended to: a key of "
        "nothing but biases gets a score like any other. To be hidden is more than to be empty. "
        "Which of the block's parts has an argument for the mask?",
        edits={
            ATTEND: "empty = x if key_padding_mask is None else x.masked_fill(\n"
            "            key_padding_mask.unsqueeze(-1), 0.0)\n"
            "        attended, _ = self.self_attn(x, empty, empty)"
        },
    ),
    Variant(
        tag="block-padding-zeroed-in-attention",
        description="Lets attention have tokens whose padding is 0, instead of hiding it",
        message="What your attention gets is 0 at the padding, but padding can still be looked at: "
        "a key of nothing but biases gets a score like any other. To be hidden is more than to be "
        "empty. Which of the block's parts has an argument for the mask?",
        edits={
            ATTEND: "empty = x if key_padding_mask is None else x.masked_fill(\n"
            "            key_padding_mask.unsqueeze(-1), 0.0)\n"
            "        attended, _ = self.self_attn(empty, empty, empty)"
        },
    ),
    Variant(
        tag="block-padding-required",
        description="Makes key_padding_mask a required argument",
        message="Your `forward` insists on a mask, but without one all tokens are real. An "
        "argument with a default may be left out.",
        edits={"key_padding_mask=None": "key_padding_mask"},
    ),
    Variant(
        tag="block-weights-instead-of-output",
        description="Goes on with the second of the pair: the attention weights",
        message="You go on with attention's weights, (seq, seq), where its output is needed. "
        "`self_attn` returns two things: which comes first?",
        edits={"attended, _ =": "_, attended ="},
    ),
    Variant(
        tag="block-pair-added",
        description="Adds the pair that self_attn returns to x",
        message="`self_attn` returns two things, and you add both at once to x: a tuple is no "
        "tensor. You need only one of them.",
        edits={"attended, _ =": "attended =", "        attended = self.dropout(attended)\n": ""},
    ),
    Variant(
        tag="block-two-heads-always",
        description="Makes attention with two heads, whatever n_heads is",
        message="Your attention has two heads, whatever is asked for. Their number is the caller's "
        "to choose. Which argument have you not used?",
        edits={"(d_model, n_heads, dropout": "(d_model, 2, dropout"},
    ),
    Variant(
        tag="block-one-head-always",
        description="Makes attention with one head, whatever n_heads is",
        message="Your attention has a single head, whatever is asked for. Their number is the "
        "caller's to choose. Which argument have you not used?",
        edits={"(d_model, n_heads, dropout": "(d_model, 1, dropout"},
    ),
    Variant(
        tag="block-four-heads-always",
        description="Makes attention with four heads, whatever n_heads is",
        message="Your attention has four heads, whatever is asked for. Their number is the "
        "caller's to choose. Which argument have you not used?",
        edits={"(d_model, n_heads, dropout": "(d_model, 4, dropout"},
    ),
    Variant(
        tag="block-width-and-heads-exchanged",
        description="Makes nn.MultiheadAttention(n_heads, d_model)",
        message="Width and number of heads have changed places where you make the attention. Look "
        "at the order in which `nn.MultiheadAttention` takes the two.",
        edits={"(d_model, n_heads, dropout": "(n_heads, d_model, dropout"},
    ),
    Variant(
        tag="block-eight-heads-always",
        description="Makes attention with eight heads, whatever n_heads is",
        message="Your attention has eight heads, whatever is asked for, and not every width can be "
        "shared out among eight. Their number is the caller's to choose. Which argument have you "
        "not used?",
        edits={"(d_model, n_heads, dropout": "(d_model, 8, dropout"},
    ),
    Variant(
        tag="block-own-attention",
        description="Builds on MultiHeadAttention of part 2 instead of nn.MultiheadAttention",
        message="You build on your own MultiHeadAttention. That would do the same, but its weights "
        "have other names than in PyTorch's block, which this one is compared with; the exercise "
        "asks for `nn.MultiheadAttention`.",
        edits={
            "nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)": (
                "MultiHeadAttention(d_model, n_heads)"
            ),
            "attended, _ = self.self_attn(x, x, x, key_padding_mask=key_padding_mask)": (
                "attended = self.self_attn(x, x, x)"
            ),
        },
    ),
    Variant(
        tag="block-padding-zeroed-after-attention",
        description="Sets attention's result to 0 at the padding; the padding is still looked at",
        message="You set what attention returns at the padding to 0, but by then the real tokens "
        "have looked there. What a *padded* token finds never mattered. Which of the block's "
        "parts has an argument for the mask?",
        edits={
            ATTEND: "attended, _ = self.self_attn(x, x, x)\n"
            "        if key_padding_mask is not None:\n"
            "            attended = attended.masked_fill(key_padding_mask.unsqueeze(-1), 0.0)"
        },
    ),
    Variant(
        tag="block-padding-zeroed-at-the-end",
        description="Sets the block's result to 0 at the padding; the padding is still looked at",
        message="You set the block's result at the padding to 0, but by then the real tokens have "
        "looked there. What becomes of a *padded* token never mattered. Which of the block's parts "
        "has an argument for the mask?",
        edits={
            ATTEND: "attended, _ = self.self_attn(x, x, x)",
            "return result": (
                "if key_padding_mask is not None:\n"
                "            result = result.masked_fill(key_padding_mask.unsqueeze(-1), 0.0)\n"
                "        return result"
            ),
        },
    ),
)
