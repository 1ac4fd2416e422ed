# named: decode-one-too-many
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    tokens = torch.full((len(src), 1), bos)
    ended = torch.zeros(len(src), dtype=torch.bool)
    while not ended.all():
        likeliest = model(src, tokens)[:, -1].argmax(dim=-1)
        likeliest[ended] = eos
        ended |= likeliest == eos
        tokens = torch.cat([tokens, likeliest.unsqueeze(1)], dim=1)
    return tokens
