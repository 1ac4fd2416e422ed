# named: crash-shapes, decoder-padding-in-self-attention-alone
# the mask goes to the wrong attention
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super(DecoderBlock, self).__init__()
        self.d_model = d_model
        self.n_heads = n_heads
        # masked self attention
        self.self_attn = nn.MultiheadAttention(
            embed_dim=d_model, num_heads=n_heads, batch_first=True
        )
        self.norm1 = nn.LayerNorm(d_model)
        # cross attention
        self.multihead_attn = nn.MultiheadAttention(
            embed_dim=d_model, num_heads=n_heads, batch_first=True
        )
        self.norm2 = nn.LayerNorm(d_model)
        # feed forward
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, memory_key_padding_mask=None):
        batch_size, seq_len, _ = x.shape
        # step 1
        mask = torch.zeros(seq_len, seq_len, device=x.device)
        mask = mask.masked_fill(torch.ones_like(mask).triu(1).bool(), float("-inf"))
        attn_output, attn_weights = self.self_attn(
            x, x, x, attn_mask=mask, key_padding_mask=memory_key_padding_mask
        )
        attn_output = self.drop(attn_output)
        out1 = self.norm1(x + attn_output)
        # step 2
        cross_output, cross_weights = self.multihead_attn(out1, memory, memory)
        cross_output = self.drop(cross_output)
        out2 = self.norm2(out1 + cross_output)
        # step 3
        ff_output = self.linear1(out2)
        ff_output = F.relu(ff_output)
        ff_output = self.linear2(ff_output)
        ff_output = self.drop(ff_output)
        out3 = self.norm3(out2 + ff_output)
        return out3
