"""What learners get wrong in DecoderBlock: gradients, inputs, modes, and axes of length 1."""

from __future__ import annotations

from autograder.testing import Variant

from .reference import MASK

DROPOUT = "self.dropout = nn.Dropout(dropout)"
PADDING = "padding = memory_key_padding_mask"

MISCONCEPTIONS = (
    Variant(
        tag="decoder-memory-detached",
        description="Detaches the memory: the encoder would never learn",
        message="Your block learns, but no gradient gets through it to the memory, so the encoder "
        "that made the memory would never learn what the decoder needs. Where is the memory cut "
        "off from what made it?",
        edits={PADDING: f"memory = memory.detach()\n        {PADDING}"},
    ),
    Variant(
        tag="decoder-gradient-stopped",
        description="Stops the gradient (detach, no_grad), or has a layer without use",
        message="No gradient reaches some of your layers, so they would never learn. Either such a "
        "layer has no part in the result, or something between it and the result stops gradients. "
        "Which calls, or which `with`, can do that?",
        edits={"self.dropout(attended)": "self.dropout(attended.detach())"},
    ),
    Variant(
        tag="decoder-trains-too-much",
        description="Trains parameters that the exercise doesn't name",
        message="Besides the layers that the exercise names, your block trains parameters of its "
        "own. PyTorch's block has no place for them, so weights can't be handed from one to the "
        "other. Which parameters do you make that nobody asked for?",
        edits={
            DROPOUT: f"{DROPOUT}\n        self.scale = nn.Parameter(torch.ones(1))",
            "x + attended": "x + self.scale * attended",
        },
    ),
    Variant(
        tag="decoder-layers-frozen",
        description="Trains fewer numbers than the layers of the exercise have",
        message="Your block trains fewer numbers than the layers named in the exercise have. "
        "PyTorch trains whatever is a parameter of the module and isn't frozen, and counts one "
        "under two names only once. Print the shape of each parameter and its `requires_grad`, and "
        "look for what is missing.",
        edits={DROPOUT: f"{DROPOUT}\n        self.linear1.requires_grad_(False)"},
    ),
    Variant(
        tag="decoder-input-overwritten",
        description="Writes into x, into the memory, or into the mask",
        message="After a call, what was passed to your block isn't what it was: something is "
        "written into an argument, or into a tensor that shares its data. The caller may still "
        "need it. Look for a line that changes a tensor instead of making a new one.",
        edits={
            PADDING: (
                f"{PADDING}\n        if padding is not None:\n            memory[padding] = 0.0"
            )
        },
    ),
    Variant(
        tag="decoder-residual-in-place",
        description="Adds the residual in place and so changes the caller's x",
        message="The caller's x isn't what it was: one of your lines "
        "writes into the tensor that you were given, instead of making a new one.",
        edits={"total = x + attended": "total = x.add_(attended)"},
    ),
    Variant(
        tag="decoder-causal-in-train-mode-alone",
        description="Hides later tokens in train mode only",
        message="In train mode your block hides later tokens, but in eval mode every token sees "
        "them. What a model has learned without them it should do without them in use: the mask "
        "has nothing to do with the mode. Where does yours depend on it?",
        edits={
            MASK: "attn_mask=hidden if self.training else None",
        },
    ),
    Variant(
        tag="decoder-causal-in-eval-mode-alone",
        description="Hides later tokens in eval mode only",
        message="In eval mode your block hides later tokens, but in train mode every token sees "
        "them, and reads there what it should learn to predict. The mask has nothing to do with "
        "the mode.",
        edits={
            MASK: "attn_mask=None if self.training else hidden",
        },
    ),
    Variant(
        tag="decoder-padding-hidden-in-eval-mode-alone",
        description="Uses memory_key_padding_mask in eval mode only",
        message="In eval mode your block hides the padding of the source, but in train mode it "
        "doesn't, so a model would learn to rely on something that is taken away later. The mask "
        "has nothing to do with the mode.",
        edits={PADDING: f"{PADDING} if not self.training else None"},
    ),
    Variant(
        tag="decoder-mask-of-the-first-call",
        description="Keeps the causal mask of the first call: other lengths fail",
        message="Your block keeps the causal mask of its first call, which is too small or too "
        "large for a target of another length. Targets come in any length, and while one is being "
        "written it grows. Each call needs a mask of its own.",
        edits={
            DROPOUT: f"{DROPOUT}\n        self.hidden = None",
            "        attended, _": (
                "        if self.hidden is None:\n            self.hidden = hidden\n"
                "        hidden = self.hidden\n        attended, _"
            ),
        },
    ),
    Variant(
        tag="decoder-squeezed",
        description="Squeezes its result: a batch of one, or one token, loses an axis",
        message="With a batch of one, or a target of one token, an axis is missing from your "
        "result, which should have the shape of x whatever the sizes. Look for a call that takes "
        "away every axis of length 1.",
        edits={"return result": "return result.squeeze()"},
    ),
    Variant(
        tag="decoder-no-bias",
        description="Makes the linear layers without bias",
        message="Your linear layers have no bias, while the exercise asks for a plain `nn.Linear`: "
        "trained weights would find no place for some of their numbers. Which of its arguments do "
        "you set?",
        edits={
            "nn.Linear(d_model, d_ff)": "nn.Linear(d_model, d_ff, bias=False)",
            "nn.Linear(d_ff, d_model)": "nn.Linear(d_ff, d_model, bias=False)",
        },
    ),
)
