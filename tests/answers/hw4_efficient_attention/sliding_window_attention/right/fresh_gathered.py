# right; gathers by index, clamps, masks
def sliding_window_attention(Q, K, V, window):
    n, d = Q.shape[1:]
    w = min(window, n - 1)
    at = torch.arange(n)[:, None] + torch.arange(-w, w + 1)
    there = (at >= 0) & (at < n)
    at = at.clamp(0, n - 1)
    s = (Q[:, :, None] * K[:, at]).sum(-1) / d**0.5
    p = torch.where(there, s, torch.tensor(float("-inf"))).softmax(-1)
    return torch.einsum("bnw,bnwd->bnd", p, V[:, at])
