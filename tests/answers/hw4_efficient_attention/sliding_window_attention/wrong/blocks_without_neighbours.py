# named: sliding-window-blocks
# blocks of 64 that see nothing beyond their edges
def sliding_window_attention(Q, K, V, window):
    n, size, parts = Q.shape[1], 64, []
    for start in range(0, n, size):
        stop = min(start + size, n)
        lo, hi = start, stop
        near = (torch.arange(start, stop)[:, None] - torch.arange(lo, hi)).abs() <= window
        parts.append(
            F.scaled_dot_product_attention(
                Q[:, start:stop], K[:, lo:hi], V[:, lo:hi], attn_mask=near
            )
        )
    return torch.cat(parts, dim=1)
