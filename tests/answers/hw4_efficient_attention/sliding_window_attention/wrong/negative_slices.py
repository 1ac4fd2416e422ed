# named: sliding-window-starts-below-zero
# near the start, the slices begin below zero
def sliding_window_attention(Q, K, V, window):
    out = torch.zeros_like(Q)
    for i in range(Q.shape[1]):
        k, v = K[:, i - window : i + window + 1], V[:, i - window : i + window + 1]
        w = torch.softmax(Q[:, i : i + 1] @ k.mT / math.sqrt(Q.shape[2]), -1)
        out[:, i : i + 1] = w @ v
    return out
