# named: transformer-flattened
# logits come as (batch * t, vocab)
class Transformer(nn.Module):
    """Seq2seq Transformer on top of torch.nn.Transformer (the PyTorch translation tutorial)."""

    def __init__(
        self,
        src_vocab: int,
        tgt_vocab: int,
        d_model: int = 64,
        n_heads: int = 4,
        d_ff: int = 128,
        n_layers: int = 2,
        max_len: int = 64,
        dropout: float = 0.0,
    ):
        super().__init__()
        self.max_len = max_len
        self.src_tok_emb = nn.Embedding(src_vocab, d_model)
        self.tgt_tok_emb = nn.Embedding(tgt_vocab, d_model)
        self.src_pos_emb = nn.Embedding(max_len, d_model)
        self.tgt_pos_emb = nn.Embedding(max_len, d_model)
        self.drop = nn.Dropout(dropout)
        self.transformer = nn.Transformer(
            d_model=d_model,
            nhead=n_heads,
            num_encoder_layers=n_layers,
            num_decoder_layers=n_layers,
            dim_feedforward=d_ff,
            dropout=dropout,
            batch_first=True,
        )
        self.lm_head = nn.Linear(d_model, tgt_vocab)

    def forward(self, src: torch.Tensor, tgt: torch.Tensor) -> torch.Tensor:
        B, S = src.shape
        B, T = tgt.shape
        assert S <= self.max_len and T <= self.max_len
        src_pos = torch.arange(S, device=src.device)
        tgt_pos = torch.arange(T, device=tgt.device)
        src_emb = self.drop(self.src_tok_emb(src) + self.src_pos_emb(src_pos))
        tgt_emb = self.drop(self.tgt_tok_emb(tgt) + self.tgt_pos_emb(tgt_pos))
        tgt_mask = nn.Transformer.generate_square_subsequent_mask(T, device=tgt.device)
        outs = self.transformer(src_emb, tgt_emb, tgt_mask=tgt_mask)
        logits = self.lm_head(outs)
        return logits.view(-1, logits.size(-1))
