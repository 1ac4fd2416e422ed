# named: transformer-own-token-unread, transformer-source-seen-in-part, transformer-n-layers-without-effect, transformer-n-heads-without-effect, transformer-logits-not-negative, transformer-dropout-ignored, transformer-layers-missing
class Transformer(nn.Module):
    """Knows the answer: says the source backwards, whatever was written."""

    def __init__(
        self,
        src_vocab,
        tgt_vocab,
        d_model=64,
        n_heads=4,
        d_ff=128,
        n_layers=2,
        max_len=64,
        dropout=0.0,
    ):
        super().__init__()
        self.tgt_vocab = tgt_vocab
        self.weight = nn.Parameter(torch.ones(1))

    def forward(self, src, tgt):
        s, t = src.shape[1], tgt.shape[1]
        following = torch.full(tgt.shape, 11)
        following[:, : min(s, t)] = src.flip(1)[:, : min(s, t)]
        return (
            20.0 * F.one_hot(following.clamp(max=self.tgt_vocab - 1), self.tgt_vocab) * self.weight
        )
