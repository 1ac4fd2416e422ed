# named: decoder-padding-counted
# counts how many tokens of each memory are real and hides whatever comes after so many, so
# padding at the beginning or in the middle is seen and real tokens at the end are hidden
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout=dropout, batch_first=True)
        self.multihead_attn = nn.MultiheadAttention(
            d_model, n_heads, dropout=dropout, batch_first=True
        )
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, memory_key_padding_mask=None):
        s = memory.shape[1]
        later = ~causal_mask(x.shape[1])
        if memory_key_padding_mask is not None:
            lengths = s - memory_key_padding_mask.sum(dim=1)
            memory_key_padding_mask = torch.arange(s).unsqueeze(0) >= lengths.unsqueeze(1)
        x = self.norm1(x + self.drop(self.self_attn(x, x, x, attn_mask=later)[0]))
        c = self.multihead_attn(x, memory, memory, key_padding_mask=memory_key_padding_mask)[0]
        x = self.norm2(x + self.drop(c))
        return self.norm3(x + self.drop(self.linear2(F.relu(self.linear1(x)))))
