# over sentences, queries and keys: as slow as can be, and in proportion to n
def sliding_window_attention(Q, K, V, window):
    batch, n, d = Q.shape
    output = torch.zeros(batch, n, d)
    for b in range(batch):
        for i in range(n):
            near = range(max(0, i - window), min(n, i + window + 1))
            scores = torch.stack([torch.dot(Q[b, i], K[b, j]) for j in near]) / math.sqrt(d)
            for weight, j in zip(torch.softmax(scores, dim=0), near):
                output[b, i] += weight * V[b, j]
    return output
