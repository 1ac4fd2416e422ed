# named: sliding-window-changes-its-input
# Q is scaled in place
def sliding_window_attention(Q, K, V, window):
    Q /= math.sqrt(Q.shape[-1])
    i = torch.arange(Q.shape[1])
    scores = (Q @ K.mT).masked_fill((i[:, None] - i).abs() > window, -torch.inf)
    return scores.softmax(-1) @ V
