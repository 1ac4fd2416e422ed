# named: block-padding-ignored, block-norm-smallest-epsilon
# two mistakes: key_padding_mask is accepted but never used, and the norms have BERT's eps of
# 1e-12 (seen where a position's features hardly vary)
class EncoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout=dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model, eps=1e-12)
        self.norm2 = nn.LayerNorm(d_model, eps=1e-12)
        self.dropout = nn.Dropout(dropout)

    def forward(self, hidden_states, key_padding_mask=None):
        attention_output = self.dropout(self.self_attn(*[hidden_states] * 3)[0])
        attention_output = self.norm1(attention_output + hidden_states)
        layer_output = self.dropout(self.linear2(self.linear1(attention_output).clamp(min=0)))
        return self.norm2(layer_output + attention_output)
