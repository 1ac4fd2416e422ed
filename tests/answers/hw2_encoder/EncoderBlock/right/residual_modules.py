# a module for residual, dropout and norm that wraps any sublayer
class Wrapped(nn.Module):
    def __init__(self, norm, dropout):
        super().__init__()
        self.norm, self.dropout = norm, nn.Dropout(dropout)

    def forward(self, x, sublayer):
        return self.norm(x + self.dropout(sublayer(x)))


class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()

        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout=dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.around_attention = Wrapped(self.norm1, dropout)
        self.around_network = Wrapped(self.norm2, dropout)

    def network(self, x):
        return self.linear2(
            F.dropout(F.relu(self.linear1(x)), self.self_attn.dropout, self.training)
        )

    def forward(self, x, key_padding_mask=None):
        def attention(x):
            return self.self_attn(x, x, x, key_padding_mask, average_attn_weights=False)[0]

        return self.around_network(self.around_attention(x, attention), self.network)
