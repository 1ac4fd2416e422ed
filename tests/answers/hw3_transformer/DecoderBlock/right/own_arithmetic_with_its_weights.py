# attention computed by hand from the layers' weights
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.multihead_attn = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.linear1, self.linear2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.heads, self.rate = n_heads, dropout

    def attend(self, layer, query, source, allowed):
        W_Q, W_K, W_V = layer.in_proj_weight.chunk(3)
        b_Q, b_K, b_V = layer.in_proj_bias.chunk(3)

        def split(y):
            return y.reshape(*y.shape[:2], self.heads, -1).permute(0, 2, 1, 3)

        Q, K, V = (
            split(y) for y in (query @ W_Q.T + b_Q, source @ W_K.T + b_K, source @ W_V.T + b_V)
        )
        scores = torch.einsum("bhik,bhjk->bhij", Q, K) / Q.shape[-1] ** 0.5
        scores = torch.where(allowed, scores, torch.tensor(-torch.inf))
        context = torch.einsum("bhij,bhjk->bihk", scores.softmax(-1), V)
        return layer.out_proj(context.flatten(2))

    def drop(self, y):
        return F.dropout(y, self.rate, training=self.training)

    def forward(self, x, memory, memory_key_padding_mask=None):
        real = torch.ones(memory.shape[:2], dtype=torch.bool)
        if memory_key_padding_mask is not None:
            real = memory_key_padding_mask.logical_not()
        x = self.norm1(x + self.drop(self.attend(self.self_attn, x, x, causal_mask(x.shape[1]))))
        found = self.attend(self.multihead_attn, x, memory, real[:, None, None, :])
        x = self.norm2(x + self.drop(found))
        return self.norm3(x + self.drop(self.linear2(self.linear1(x).clamp(min=0))))
