# named: sliding-window-ends-repeated
# what: at the ends the indices are clamped, so the first and last keys count several times
def sliding_window_attention(Q, K, V, window):
    b, n, d = Q.shape
    window = min(window, n)
    where = (torch.arange(n)[:, None] + torch.arange(-window, window + 1)).clamp(0, n - 1)
    s = torch.einsum("bnd,bnwd->bnw", Q, K[:, where]) / d**0.5
    return torch.einsum("bnw,bnwd->bnd", torch.softmax(s, dim=-1), V[:, where])
