# everything to the best key of the window; equal ones share
def sliding_window_attention(Q, K, V, window):
    n, w = Q.shape[1], min(window, Q.shape[1])
    at = torch.arange(n)[:, None] + torch.arange(-w, w + 1)
    there, at = (at >= 0) & (at < n), at.clamp(0, n - 1)
    scores = (Q[:, :, None] * K[:, at]).sum(-1).masked_fill(~there, -math.inf)
    best = (scores > scores.amax(-1, keepdim=True) - 1e-6).float()
    best = best / best.sum(-1, keepdim=True)
    return torch.einsum("bnw,bnwd->bnd", best, V[:, at])
