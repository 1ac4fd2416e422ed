# named: nothing
# adapted from nanoGPT's generate: the context is cropped to the last 16 tokens, so longer
# texts are continued without their bos and beginning
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len, block_size=16):
    model.eval()
    idx = torch.full((src.size(0), 1), bos, dtype=torch.long)
    ended = torch.zeros(src.size(0), dtype=torch.bool)
    for _ in range(max_len - 1):
        idx_cond = idx if idx.size(1) <= block_size else idx[:, -block_size:]
        logits = model(src, idx_cond)[:, -1, :]
        idx_next = logits.topk(1).indices
        idx_next[ended] = eos
        ended = ended | (idx_next.squeeze(1) == eos)
        idx = torch.cat((idx, idx_next), dim=1)
        if ended.all():
            break
    return idx
