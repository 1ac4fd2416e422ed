# named: decoder-dropout-after-the-norms
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(
            embed_dim=d_model, num_heads=n_heads, dropout=dropout, batch_first=True
        )
        self.multihead_attn = nn.MultiheadAttention(
            embed_dim=d_model, num_heads=n_heads, dropout=dropout, batch_first=True
        )
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)
        self.dropout3 = nn.Dropout(dropout)
        self.activation = nn.ReLU()

    def _sa(self, x):
        t = x.size(1)
        mask = torch.triu(torch.full((t, t), float("-inf"), device=x.device), diagonal=1)
        return self.dropout1(self.self_attn(x, x, x, attn_mask=mask)[0])

    def _ca(self, x, memory, pad):
        return self.dropout2(
            self.multihead_attn(query=x, key=memory, value=memory, key_padding_mask=pad)[0]
        )

    def _ff(self, x):
        return self.dropout3(self.linear2(self.activation(self.linear1(x))))

    def forward(self, x, memory, memory_key_padding_mask=None):
        a, _ = self.self_attn(x, x, x, attn_mask=~causal_mask(x.size(1)))
        x = self.dropout1(self.norm1(x + a))
        c, _ = self.multihead_attn(x, memory, memory, key_padding_mask=memory_key_padding_mask)
        x = self.dropout2(self.norm2(x + c))
        x = self.dropout3(self.norm3(x + self.linear2(F.relu(self.linear1(x)))))
        return x
