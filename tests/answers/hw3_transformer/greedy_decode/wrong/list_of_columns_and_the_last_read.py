# named: decode-reads-the-last-token-only
# feeds only the last token
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    tokens = [torch.full((src.shape[0],), bos)]
    ended = torch.zeros(src.shape[0], dtype=torch.bool)
    while len(tokens) < max_len and not bool(ended.all()):
        logits = model(src, tokens[-1].unsqueeze(1))
        new = logits[:, -1].argmax(-1)
        new = torch.where(ended, torch.tensor(eos), new)
        ended = ended | new.eq(eos)
        tokens.append(new)
    return torch.stack(tokens, dim=1)
