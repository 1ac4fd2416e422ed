# named: sliding-window-keys-of-one-sentence
# keys of sentence 0
def sliding_window_attention(Q, K, V, window):
    B, n, d = Q.shape
    rows = []
    for i in range(n):
        start, stop = max(i - window, 0), min(i + window + 1, n)
        scores = Q[:, i] @ K[0, start:stop].T / math.sqrt(d)
        w = torch.softmax(scores, dim=-1)
        rows.append(torch.einsum("bw,bwd->bd", w, V[:, start:stop]))
    return torch.stack(rows, dim=1)
