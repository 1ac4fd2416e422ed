# The likeliest by topk, ends by a running maximum
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    ys = src.new_full((src.size(0), 1), bos)
    for _ in range(1, max_len):
        values, tokens = model(src, ys)[:, -1].topk(1, dim=-1)
        ended = (ys[:, 1:] == eos).any(dim=1, keepdim=True)
        ys = torch.cat((ys, torch.where(ended, torch.full_like(tokens, eos), tokens)), dim=1)
        if (ys[:, -1] == eos).all():
            return ys
    return ys
