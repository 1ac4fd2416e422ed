@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    tokens = torch.full((len(src), 1), bos)
    for _ in range(max_len - 1):
        following = torch.softmax(model(src, tokens)[:, -1], dim=-1).topk(1).indices
        following[(tokens == eos).any(dim=1)] = eos
        tokens = torch.cat([tokens, following], dim=1)
    return tokens
