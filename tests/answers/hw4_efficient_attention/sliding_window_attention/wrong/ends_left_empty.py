# named: sliding-window-ends-left-out
# only tokens with a whole window are computed
def sliding_window_attention(Q, K, V, window):
    out = torch.zeros_like(Q)
    for i in range(window, Q.shape[1] - window):
        near = slice(i - window, i + window + 1)
        w = torch.softmax(Q[:, i : i + 1] @ K[:, near].mT / math.sqrt(Q.shape[2]), -1)
        out[:, i : i + 1] = w @ V[:, near]
    return out
