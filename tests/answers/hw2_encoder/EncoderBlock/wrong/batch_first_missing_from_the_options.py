# named: block-batch-first-forgotten
# batch_first forgotten (style: keyword arguments from a dict), so tokens attend across the batch
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        options = {"embed_dim": d_model, "num_heads": n_heads, "dropout": dropout}
        self.self_attn = nn.MultiheadAttention(**options)
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = (nn.LayerNorm(d_model) for _ in range(2))
        self.dropout1, self.dropout2 = nn.Dropout(dropout), nn.Dropout(dropout)

    def forward(self, x, key_padding_mask=None):
        mixed, _ = self.self_attn(x, x, x, key_padding_mask=key_padding_mask)
        x = self.norm1(x + self.dropout1(mixed))
        return self.norm2(x + self.dropout2(self.linear2(F.relu(self.linear1(x)))))
