# named: decode-at-least-one-step
# With max_len=1 the model is asked all the same
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    out = torch.full((src.size(0), 1), bos)
    done = torch.zeros(src.size(0), dtype=torch.bool)
    while True:
        nxt = model(src, out)[:, -1].argmax(dim=-1).masked_fill(done, eos)
        out = torch.cat([out, nxt[:, None]], dim=1)
        done |= nxt == eos
        if done.all() or out.size(1) >= max_len:
            return out
