def greedy_decode(model, src, bos, eos, max_len):
    def grow(seq, alive):
        if seq.shape[1] >= max_len or not alive.any():
            return seq
        log_p = F.log_softmax(model(src, seq)[:, -1, :], dim=-1)
        best = log_p.topk(1).indices.squeeze(-1) * alive + eos * ~alive
        return grow(torch.hstack([seq, best[:, None]]), alive & (best != eos))

    with torch.inference_mode():
        return grow(torch.tensor([[bos]] * len(src)), torch.ones(len(src)).bool())
