# named: sliding-window-in-buckets
# adapted from lucidrains' local-attention with exact_windowsize=False: buckets of the window's
# size see the bucket before, themselves and the next entirely, so most tokens see further than
# window
def sliding_window_attention(Q, K, V, window):
    size = max(window, 1)
    blocks = []
    for start in range(0, Q.size(1), size):
        bq = Q[:, start : start + size]
        look = slice(max(0, start - size * bool(window)), start + size + size * bool(window))
        sim = torch.einsum("b i d, b j d -> b i j", bq, K[:, look]) * Q.size(-1) ** -0.5
        blocks.append(torch.einsum("b i j, b j d -> b i d", sim.softmax(dim=-1), V[:, look]))
    return torch.cat(blocks, dim=1)
