# named: sliding-window-blocks
# what: block attention: tokens attend inside their own block of 2w+1
def sliding_window_attention(Q, K, V, window):
    size = 2 * window + 1
    parts = []
    for q, k, v in zip(Q.split(size, 1), K.split(size, 1), V.split(size, 1)):
        parts.append(full_attention(q, k, v))
    return torch.cat(parts, 1)
