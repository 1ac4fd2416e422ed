# right; a generator, logsumexp, sentence by sentence
def sliding_window_attention(Q, K, V, window):
    def one(q, k, v):
        for i in range(q.shape[0]):
            near = slice(max(0, i - window), i + window + 1)
            s = torch.mv(k[near], q[i]).div(q.shape[1] ** 0.5)
            yield torch.exp(s - torch.logsumexp(s, 0)) @ v[near]

    return torch.stack([torch.stack(list(one(*qkv))) for qkv in zip(Q, K, V)])
