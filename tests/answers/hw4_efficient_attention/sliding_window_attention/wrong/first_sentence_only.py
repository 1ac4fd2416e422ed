# named: sliding-window-values-of-one-sentence
# values of the first sentence for all
def sliding_window_attention(Q, K, V, window):
    n, d = Q.shape[1], Q.shape[2]
    i = torch.arange(n)
    allowed = (i[:, None] - i[None, :]).abs() <= window
    scores = Q @ K.transpose(1, 2) / math.sqrt(d)
    scores = scores.masked_fill(~allowed, float("-inf"))
    return torch.softmax(scores, dim=-1) @ V[:1]
