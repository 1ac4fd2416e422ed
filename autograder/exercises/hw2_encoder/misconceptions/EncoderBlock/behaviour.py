"""What learners get wrong in EncoderBlock: gradients, inputs, modes, and axes of length 1."""

from __future__ import annotations

from autograder.testing import Variant

from ... import recurring
from .reference import ATTEND

DROPOUT = "self.dropout = nn.Dropout(dropout)"

MISCONCEPTIONS = (
    Variant(
        tag="block-gradient-stopped",
        description="Stops the gradient (detach, no_grad), or has a layer without use",
        message="No gradient reaches some of your layers, so they would never learn, whatever the "
        "values are. Either such a layer isn't used at all, or something between it and the result "
        "stops gradients. Look for calls, or a `with`, that can do that.",
        edits={"self.dropout(attended)": "self.dropout(attended.detach())"},
    ),
    Variant(
        tag="block-trains-too-much",
        description="Trains parameters that the exercise doesn't name",
        message="Besides the layers that the exercise names, your block trains numbers of its own. "
        "PyTorch's block has none, so weights can't be handed from one to the other. Which "
        "parameters do you make that nobody asked for?",
        edits={
            DROPOUT: f"{DROPOUT}\n        self.scale = nn.Parameter(torch.ones(1))",
            "x + attended": "x + self.scale * attended",
        },
    ),
    Variant(
        tag="block-layers-frozen",
        description="Trains fewer numbers than the layers of the exercise have",
        message="Your block trains fewer numbers than the layers that the exercise names have. "
        "PyTorch trains what is a parameter of the module and isn't frozen, and counts what stands "
        "there under two names once. Print the shape of each parameter and its `requires_grad`, "
        "and look for what is missing.",
        edits={DROPOUT: f"{DROPOUT}\n        self.linear1.requires_grad_(False)"},
    ),
    Variant(
        tag="block-input-overwritten",
        description="Writes into x or into the mask, though not when x is added",
        message="After a call, what was passed to your block isn't what it was: you write into an "
        "argument, or into something that shares its memory. The caller may still need it. Which "
        "of your lines changes a tensor instead of making a new one?",
        edits={
            f"        {ATTEND}": (
                "        if key_padding_mask is not None:\n"
                f"            x[key_padding_mask] = 0.0\n        {ATTEND}"
            )
        },
    ),
    Variant(
        tag="block-padding-hidden-in-eval-mode-alone",
        description="Uses key_padding_mask in eval mode only",
        message="In eval mode your block hides padding, in train mode it doesn't, so a model would "
        "learn to rely on what is taken from it later. The mask has nothing to do with the mode. "
        "Where does yours ask for it?",
        edits={
            "key_padding_mask=key_padding_mask)": (
                "key_padding_mask=None if self.training else key_padding_mask)"
            )
        },
    ),
    Variant(
        tag="block-padding-hidden-in-train-mode-alone",
        description="Uses key_padding_mask in train mode only",
        message="In train mode your block hides padding, in eval mode it doesn't, so a model that "
        "has learned would look at padding when it counts. The mask has nothing to do with the "
        "mode. Where does yours ask for it?",
        edits={
            "key_padding_mask=key_padding_mask)": (
                "key_padding_mask=key_padding_mask if self.training else None)"
            )
        },
    ),
    Variant(
        tag="block-padding-kept",
        description="Keeps key_padding_mask, and uses it where none is given",
        message="What one call hid, your block goes on hiding in a later one of the same shape "
        "that has no mask. No mask means that all tokens are real. A module keeps its layers from "
        "call to call; a mask belongs to one batch. Where do you keep it?",
        edits={
            ATTEND: (
                "if key_padding_mask is not None:\n"
                "            self.padding = key_padding_mask\n"
                "        elif getattr(self, 'padding', x[0]).shape == x.shape[:2]:\n"
                "            key_padding_mask = self.padding\n"
                f"        {ATTEND}"
            )
        },
    ),
    Variant(
        tag="block-causal-in-train-mode",
        description="Hides later tokens in train mode only",
        message="In train mode a token of yours sees only what stands before it, in eval mode the "
        "whole sentence. An encoder may always read all of it. Which mask do you pass that nobody "
        "asked for?",
        edits={
            "key_padding_mask=key_padding_mask)": (
                "key_padding_mask=key_padding_mask, attn_mask=torch.ones(x.shape[1],"
                " x.shape[1]).triu(1).bool() if self.training else None)"
            )
        },
    ),
    Variant(
        tag="block-squeezed",
        description="Squeezes its result: a batch of one, or one token, loses an axis",
        message="With a batch of one, or a sentence of one token, an axis is missing from your "
        "result: (batch, seq, d_model) goes in and should come out, whatever the sizes. Which call "
        "takes away every axis of length 1?",
        edits={"return result": "return result.squeeze()"},
    ),
    Variant(
        tag="block-first-axis-squeezed",
        description="Squeezes the first axis: a batch of one is lost",
        message="With a batch of one, an axis is missing from your result: (batch, seq, d_model) "
        "goes in and should come out, whatever the sizes. Which call takes away the first axis "
        "where its length is 1?",
        edits={"return result": "return result.squeeze(0)"},
    ),
    Variant(
        tag="block-no-bias",
        description="Makes the linear layers without bias",
        message="Your linear layers have no bias, while the exercise asks for `nn.Linear` as it "
        "comes, and trained weights would find no place for some of their numbers. Which of its "
        "arguments do you set?",
        edits={
            "nn.Linear(d_model, d_ff)": "nn.Linear(d_model, d_ff, bias=False)",
            "nn.Linear(d_ff, d_model)": "nn.Linear(d_ff, d_model, bias=False)",
        },
    ),
    recurring.keeping(
        tag="block-result-kept",
        description="Returns the result of the first call of each shape again",
        edits={
            "return result": "return self.kept.setdefault(x.shape, result)",
        },
    ),
)
