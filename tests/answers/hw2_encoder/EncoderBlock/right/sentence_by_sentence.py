# each sentence by itself, without its padding, which is put back as zeros
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()

        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def one_sentence(self, tokens):
        attended, _ = self.self_attn(tokens, tokens, tokens)  # (seq, d_model): no batch at all
        tokens = self.norm1(tokens + self.dropout(attended))
        return self.norm2(tokens + self.dropout(self.linear2(self.linear1(tokens).relu())))

    def forward(self, x, key_padding_mask=None):
        if key_padding_mask is None:
            return torch.stack([self.one_sentence(sentence) for sentence in x])
        rows = []
        for sentence, padding in zip(x, key_padding_mask):
            real = ~padding
            row = torch.zeros_like(sentence)
            rows.append(row.index_put((real,), self.one_sentence(sentence[real])))
        return torch.stack(rows)
