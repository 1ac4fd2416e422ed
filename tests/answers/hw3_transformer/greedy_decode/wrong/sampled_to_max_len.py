# named: decode-sampled-to-max-len
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    tokens = torch.full((len(src), 1), bos)
    for _ in range(max_len - 1):
        probs = F.softmax(model(src, tokens)[:, -1], dim=-1)
        new = torch.multinomial(probs, num_samples=1)
        ended = (tokens == eos).any(dim=1, keepdim=True)
        new[ended] = eos
        tokens = torch.cat([tokens, new], dim=1)
    return tokens
