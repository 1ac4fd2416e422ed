"""A right answer, from which the wrong ones are made."""

from __future__ import annotations

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
