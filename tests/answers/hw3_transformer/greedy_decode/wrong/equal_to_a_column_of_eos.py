# named: decode-ends-together
# ended never looks at what was just written: eos of the whole batch compared by equality (torch.equal); no eos filling
@torch.no_grad()
def greedy_decode(model, src, bos, eos, max_len):
    seq = torch.full((src.shape[0], 1), bos)
    end = torch.full((src.shape[0],), eos)
    while seq.shape[1] < max_len:
        best = torch.max(model(src, seq)[:, -1], dim=-1).indices
        seq = torch.cat([seq, best.unsqueeze(-1)], dim=-1)
        if torch.equal(best, end):
            break
    return seq
