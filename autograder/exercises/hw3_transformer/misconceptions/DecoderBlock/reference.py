"""A right answer, from which the wrong ones are made."""

from __future__ import annotations

REFERENCE = """\
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.multihead_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, memory_key_padding_mask=None):
        hidden = torch.ones(x.shape[1], x.shape[1]).triu(1).bool()
        q = x
        attended, _ = self.self_attn(q, q, q, attn_mask=hidden)
        attended = self.dropout(attended)
        total = x + attended
        y = self.norm1(total)
        padding = memory_key_padding_mask
        p = y
        found, _ = self.multihead_attn(p, memory, memory, key_padding_mask=padding)
        found = self.dropout(found)
        total = y + found
        z = self.norm2(total)
        r = z
        inner = F.relu(self.linear1(r))
        transformed = self.linear2(inner)
        transformed = self.dropout(transformed)
        total = z + transformed
        result = self.norm3(total)
        return result
"""

PREFIX = "decoder"  # of the tags

ASK = "self.multihead_attn(p, memory, memory, key_padding_mask=padding)"

MASK = "attn_mask=hidden"

# A block whose attentions and feed-forward network return zeros until somebody sets more.
SILENT = """\
block = DecoderBlock(2, 1, 4, 0.0)
for name, parameter in block.named_parameters():
    torch.nn.init.constant_(parameter, "norm" in name and "weight" in name)
"""
