# named: sliding-window-hidden-by-minus-100
# -100 looks low enough
def sliding_window_attention(Q, K, V, window):
    n, d = Q.shape[1], Q.shape[2]
    i = torch.arange(n)
    near = (i[:, None] - i).abs() <= window
    scores = Q @ K.transpose(1, 2) / math.sqrt(d)
    return torch.softmax(torch.where(near, scores, -100.0), dim=-1) @ V
