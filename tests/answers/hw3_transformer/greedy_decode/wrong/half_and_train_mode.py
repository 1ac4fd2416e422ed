# named: nothing
# two mistakes: logits are rounded to float16 before argmax, so nearly equal ones become a tie
# that the lower number wins; and the model isn't put into eval mode
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    tokens = torch.full((src.size(0), 1), bos, dtype=torch.int64, device=src.device)
    over = torch.zeros(src.size(0), dtype=torch.bool, device=src.device)
    while tokens.size(1) < max_len and not bool(over.all()):
        logits = model(src, tokens)[:, -1].half()
        best = logits.argmax(dim=-1).masked_fill(over, eos)
        over = over | (best == eos)
        tokens = torch.cat([tokens, best.unsqueeze(1)], dim=1)
    return tokens
