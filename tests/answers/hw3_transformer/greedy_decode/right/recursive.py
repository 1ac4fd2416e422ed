@torch.no_grad()
def _continue(model, src, written, done, eos, left):
    if left == 0 or bool(done.all()):
        return written
    following = torch.topk(model(src, written)[:, -1], k=1).indices
    following = following.masked_fill(done.unsqueeze(1), eos)
    return _continue(
        model,
        src,
        torch.hstack([written, following]),
        done | following.eq(eos).squeeze(1),
        eos,
        left - 1,
    )


def greedy_decode(model, src, bos, eos, max_len):
    model.eval()
    n = src.size(0)
    start = torch.full((n, 1), bos, dtype=torch.int64, device=src.device)
    return _continue(
        model, src, start, torch.zeros(n, dtype=torch.bool, device=src.device), eos, max_len - 1
    )
