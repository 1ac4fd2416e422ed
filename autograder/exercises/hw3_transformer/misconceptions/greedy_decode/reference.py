"""A right answer, from which the wrong ones are made."""

from __future__ import annotations

from autograder.testing import WorkedExample

# It stops early, as most do; an answer that fills up to max_len is a style.
REFERENCE = """\
def greedy_decode(model, src, bos, eos, max_len):
    tokens = torch.full((len(src), 1), bos)
    ended = torch.zeros(len(src), dtype=torch.bool)
    for _ in range(max_len - 1):
        with torch.no_grad():
            logits = model(src, tokens)
        likeliest = logits[:, -1].argmax(dim=-1)
        likeliest = likeliest.masked_fill(ended, eos)
        tokens = torch.cat([tokens, likeliest.unsqueeze(1)], dim=1)
        ended = ended | (likeliest == eos)
        if ended.all():
            break
    return tokens
"""

PREFIX = "decode"  # of the tags
NOT_MISTAKES = (
    "rounded",
    "rounded-coarsely",
    "plain-list",
)  # tokens are whole numbers; decode-lists says the last

NEXT = "logits[:, -1].argmax(dim=-1)"

STYLES = {
    "always-to-max-len": {"        if ended.all():\n            break\n": ""},
    "filled-up-to-max-len": {
        "return tokens": "return F.pad(tokens, (0, max_len - tokens.shape[1]), value=eos)"
    },
}

COUNTING = WorkedExample(
    """
A model of four tokens: 0 begins a text, and 3 ends it. It counts up: behind 0 it says 0 + 1 = 1,
and behind 1 it says 1 + 1 = 2. Once it has said its source, it says 3, and whoever asks on is told
0.

Two sources, 1 and 2, are decoded together. Both rows begin with 0 and go on with 1.

The first row has counted to 1, so 3 comes next, and it has ended. The second goes on with 2.

The second row has not ended, so the model is asked once more, for both. For the first it would say
0. But a text that has ended stays so: another 3 stands there. The second row gets its 3, and nobody
asks again.

What does each of your rows begin with, when does it end, and what stands behind its end?""",
    """\
class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.answers = nn.Parameter(torch.eye(4))

    def forward(self, src, tgt):
        return self.answers[torch.where(tgt == src, 3, (tgt + 1) % 4)]

greedy_decode(Counting(), torch.tensor([[1], [2]]), bos=0, eos=3, max_len=4)""",
    [[0, 1, 3, 3], [0, 1, 2, 3]],
)
