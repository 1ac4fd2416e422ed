# named: encoder-positions-from-two
# adapted from RoBERTa and fairseq, where positions begin after padding_idx: the first token
# gets position 2
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.padding_idx = 1
        self.max_len = max_len
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.embed_scale = math.sqrt(d_model)
        self.register_buffer(
            "weights", positional_encoding(max_len + self.padding_idx + 1, d_model)
        )
        self.layers = nn.ModuleList(
            [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        )
        self.dropout_module = nn.Dropout(dropout)

    def forward(self, tokens, key_padding_mask=None):
        bsz, seq_len = tokens.shape
        if seq_len > self.max_len:
            raise ValueError
        positions = torch.arange(self.padding_idx + 1, seq_len + self.padding_idx + 1)
        x = self.embed_scale * self.embedding(tokens) + self.weights.index_select(0, positions)
        x = self.dropout_module(x)
        for layer in self.layers:
            x = layer(x, key_padding_mask)
        return x
