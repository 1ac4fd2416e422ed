@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    """Writes on regardless, and only then replaces what stands behind each first eos."""
    tokens = torch.full((src.shape[0], 1), bos, dtype=torch.int64)
    while tokens.shape[1] < max_len:
        scores = model(src, tokens).select(1, -1)
        tokens = torch.hstack([tokens, scores.argsort(dim=-1, descending=True)[:, :1]])
    behind = (tokens == eos).long().cumsum(dim=1) > 0
    return tokens.masked_fill(behind, eos)
