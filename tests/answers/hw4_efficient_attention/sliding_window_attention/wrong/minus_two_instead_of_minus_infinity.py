# named: sliding-window-hidden-by-minus-2
# hidden keys get the score -2: a share that is small, not none
def sliding_window_attention(Q, K, V, window):
    n, d = Q.shape[1], Q.shape[2]
    i = torch.arange(n)
    allowed = (i[:, None] - i[None, :]).abs() <= window
    scores = Q @ K.transpose(1, 2) / math.sqrt(d)
    scores = scores.masked_fill(~allowed, -2.0)
    return torch.softmax(scores, dim=-1) @ V
