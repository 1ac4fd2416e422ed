@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    """The model is causal, so what stands behind the last token makes no difference."""
    tokens = torch.full((len(src), max_len), eos)
    tokens[:, 0] = bos
    ended = torch.zeros(len(src), dtype=torch.bool)
    for place in range(max_len - 1):
        likeliest = model(src, tokens[:, : max_len - 1])[:, place].argmax(-1)
        tokens[:, place + 1] = torch.where(ended, eos, likeliest)
        ended |= tokens[:, place + 1] == eos
    return tokens
