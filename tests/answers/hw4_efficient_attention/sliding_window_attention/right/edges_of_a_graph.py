# a graph: an edge from each key to each query that is near
def sliding_window_attention(Q, K, V, window):
    """A graph: tokens are nodes, and an edge leads from each key to each query that is near (as in PyG)."""
    batch, n, d = Q.shape
    reach = min(window, n - 1)
    query = torch.arange(n).repeat_interleave(2 * reach + 1)
    key = query + torch.arange(-reach, reach + 1).repeat(n)
    inside = (key >= 0) & (key < n)
    query, key = query[inside], key[inside]

    def one(q, k, v):
        logits = (q[query] * k[key]).sum(-1) / math.sqrt(d)
        top = torch.full((n,), -math.inf).scatter_reduce(0, query, logits, "amax")
        odds = torch.exp(logits - top[query])
        total = torch.zeros(n).index_add(0, query, odds)
        return torch.zeros(n, v.shape[-1]).index_add(0, query, odds[:, None] * v[key]) / total[:, None]

    return torch.stack([one(*each) for each in zip(Q, K, V, strict=True)])
