# reuses FeedForward, its linear layers as aliases; no dropout inside attention
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()

        self.self_attn = nn.MultiheadAttention(
            embed_dim=d_model, num_heads=n_heads, batch_first=True
        )
        self.ffn = FeedForward(d_model, d_ff)
        self.linear1, self.linear2 = self.ffn.linear1, self.ffn.linear2
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.p = dropout

    def forward(self, x, key_padding_mask=None):
        attention_output, attention_weights = self.self_attn(
            query=x, key=x, value=x, key_padding_mask=key_padding_mask, need_weights=True
        )
        x = self.norm1(x + F.dropout(attention_output, self.p, training=self.training))
        return self.norm2(x + F.dropout(self.ffn(x), self.p, training=self.training))
