"""What learners get wrong in greedy_decode: result."""

from __future__ import annotations

from autograder.testing import Variant

from .reference import COUNTING, NEXT

MISCONCEPTIONS = (
    Variant(
        tag="decode-not-int64",
        description="Returns tokens of another type than int64, floating-point for instance",
        message="Your tokens come back as another type than int64. They are indices, and int64 is "
        "how torch keeps those. What type is the tensor that you begin with, and does a later "
        "step turn it into another?",
        edits={"return tokens": "return tokens.float()"},
    ),
    Variant(
        tag="decode-lists",
        description="Returns lists instead of a tensor",
        message="You return lists instead of a tensor of (batch, width). Since rows that have "
        "ended are filled up, all have the same width and fit into one tensor.",
        edits={"return tokens": "return tokens.tolist()"},
    ),
    Variant(
        tag="decode-an-axis-lost",
        description="Returns a single axis: one long row, or a batch of one squeezed away",
        message="For a single source your result has one axis instead of the two of (1, width). "
        "Several sources have a row each, and one source has one row. Which of your steps takes "
        "an axis away?",
        edits={"return tokens": "return tokens.reshape(-1) if len(src) < 2 else tokens"},
    ),
    Variant(
        tag="decode-flattened",
        description="Returns one long row",
        message="Your result has a single axis, even for several sources, so you can't tell where "
        "one text ends and the next begins. Where does the axis of the batch get lost?",
        edits={"return tokens": "return tokens.flatten()"},
    ),
    Variant(
        tag="decode-reverses-the-source",
        description="Knows the task: returns the source backwards without asking the model",
        message="Your function turns the source around by itself and never asks the model. That "
        "would be right for one task and one perfect model. The exercise asks for whatever *the "
        "model* finds likeliest, no matter what it was trained on.",
        source="""\
def greedy_decode(model, src, bos, eos, max_len):
    begin, end = torch.full((len(src), 1), bos), torch.full((len(src), 1), eos)
    return torch.cat([begin, src.flip(1), end], dim=1)[:, :max_len]
""",
    ),
    Variant(
        tag="decode-sampled",
        description="Draws a token at random by its probability",
        message="You draw tokens at random, each as often as the model finds it likely. That is "
        "called sampling and makes livelier texts. The exercise asks for greedy decoding, which "
        "gives the same text every time.",
        edits={NEXT: "torch.multinomial(logits[:, -1].softmax(-1), 1).squeeze(1)"},
    ),
    Variant(
        tag="decode-sampled-to-max-len",
        description="Draws a token at random by its probability, and always goes on to max_len",
        message="You draw tokens at random, each as often as the model finds it likely. That is "
        "called sampling and makes livelier texts. The exercise asks for greedy decoding, which "
        "gives the same text every time.",
        edits={
            NEXT: "torch.multinomial(logits[:, -1].softmax(-1), 1).squeeze(1)",
            "        if ended.all():\n            break\n": "",
        },
    ),
)

EXAMPLES = (COUNTING,)
