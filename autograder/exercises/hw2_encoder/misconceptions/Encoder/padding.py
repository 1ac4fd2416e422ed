"""What learners get wrong in Encoder: padding."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="encoder-padding-ignored",
        description="Doesn't pass key_padding_mask on to the layers",
        message="Your encoder takes a `key_padding_mask`, but real tokens still look at the "
        "padding: the mask never reaches the blocks. What does `forward` of your EncoderBlock take "
        "besides x?",
        edits={"(x, key_padding_mask)": "(x)"},
    ),
    Variant(
        tag="encoder-padding-inverted",
        description="Inverts key_padding_mask",
        message="In your encoder, tokens look at the padding and at nothing else. This mask "
        "follows torch's convention, in which True means *ignore this token*, and the blocks "
        "expect the same. What happens to it on the way?",
        edits={
            "(x, key_padding_mask)": "(x, None if key_padding_mask is None else ~key_padding_mask)"
        },
    ),
    Variant(
        tag="encoder-padding-zeroed",
        description="Sets what goes into the layers to 0 at the padding instead of hiding it",
        message="You set padded tokens to 0 before the layers, but they can still be attended to: "
        "a key of nothing but biases gets a score like any other. To be hidden is more than to be "
        "empty. What does `forward` of your EncoderBlock take besides x?",
        edits={
            "        for layer in self.layers:": (
                "        if key_padding_mask is not None:\n"
                "            x = x.masked_fill(key_padding_mask.unsqueeze(-1), 0.0)\n"
                "        for layer in self.layers:"
            ),
            "(x, key_padding_mask)": "(x)",
        },
    ),
    Variant(
        tag="encoder-padding-in-first-layer-only",
        description="Passes key_padding_mask to the first layer alone",
        message="Your first layer hides the padding, the others look at it again. No layer knows "
        "what another was told.",
        edits={
            "(x, key_padding_mask)": "(x, key_padding_mask if layer is self.layers[0] else None)"
        },
    ),
    Variant(
        tag="encoder-padding-not-in-the-last-layer",
        description="Passes key_padding_mask to all layers but the last",
        message="Your last layer isn't told which tokens are padding, so real tokens look at it "
        "again, one step before the end. No layer knows what another was told.",
        edits={
            "(x, key_padding_mask)": "(x, None if layer is self.layers[-1] else key_padding_mask)"
        },
    ),
    Variant(
        tag="encoder-padding-inverted-without-a-question",
        description="Inverts key_padding_mask even where there is none",
        message="You invert `key_padding_mask`, but mostly there is none, and None can't be "
        "inverted. Nor is there any need: this mask follows torch's convention, and the blocks "
        "expect the same.",
        edits={"(x, key_padding_mask)": "(x, ~key_padding_mask)"},
    ),
    Variant(
        tag="encoder-padding-guessed",
        description="Takes token 0 for padding, whatever mask is given",
        message="You hide every token number 0, whatever the mask says. Which tokens are padding "
        "is for the caller to say: here 0 is a word like any other. Which argument tells you?",
        edits={"(x, key_padding_mask)": "(x, tokens == 0)"},
    ),
    Variant(
        tag="encoder-padding-guessed-without-a-mask",
        description="Takes token 0 for padding where no mask is given",
        message="Where no mask is given, you hide every token number 0. No mask means that all "
        "tokens are real: here 0 is a word like any other.",
        edits={
            "(x, key_padding_mask)": (
                "(x, tokens == 0 if key_padding_mask is None else key_padding_mask)"
            )
        },
    ),
    Variant(
        tag="encoder-token-zero-taken-for-padding",
        description="Takes token 0 for padding where no mask is given, but not in every sentence",
        message="Where no mask is given, you treat token number 0 in another way than the rest, as "
        "one would treat padding. No mask means that all tokens are real: here 0 is a word like "
        "any other. Which of your lines asks for this number?",
        edits={
            "        for layer": (
                "        guessed = tokens == 0\n"
                "        guessed = guessed & ~guessed.all(dim=1, keepdim=True)\n"
                "        for layer"
            ),
            "(x, key_padding_mask)": (
                "(x, guessed if key_padding_mask is None else key_padding_mask)"
            ),
        },
    ),
    Variant(
        tag="encoder-token-zero-dropped",
        description="Sets the embedding of token 0 to zero",
        message="Token number 0 loses its embedding, as if it were padding. Here it is a word "
        "like any other, and what is padding the caller says by a mask. Which line treats it in "
        "its own way?",
        edits={
            "self.embedding(tokens) *": "self.embedding(tokens) * (tokens != 0).unsqueeze(-1) *"
        },
    ),
)
