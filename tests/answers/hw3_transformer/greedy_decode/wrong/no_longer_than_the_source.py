# named: decode-as-long-as-the-source-and-one
# what: writes at most src length + 1 tokens after bos, so outputs longer than the source are cut off
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    limit = min(max_len, src.shape[1] + 2)
    result = torch.full((src.shape[0], 1), bos)
    done = torch.zeros(src.shape[0], dtype=torch.bool)
    while result.shape[1] < limit and not done.all():
        chosen = model(src, result)[:, -1].argmax(-1)
        chosen = torch.where(done, torch.tensor(eos), chosen)
        done = done | (chosen == eos)
        result = torch.cat([result, chosen.view(-1, 1)], dim=1)
    return result
