# named: sliding-window-scaled-by-the-keys
# scaled by the root of the window's width; harmless clones
def sliding_window_attention(Q, K, V, window):
    Q, K, V = Q.clone(), K.clone(), V.clone()
    outs = []
    for i in range(Q.shape[1]):
        a, b = max(0, i - window), min(Q.shape[1], i + window + 1)
        k, v = K[:, a:b, :], V[:, a:b, :]
        scores = Q[:, i : i + 1, :] @ k.transpose(1, 2) / math.sqrt(b - a)
        outs.append(F.softmax(scores, dim=-1) @ v)
    return torch.cat(outs, dim=1)
