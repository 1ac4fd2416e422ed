# named: linear-first-sentence-for-all
# the summary of the first sentence for all
def linear_attention(Q, K, V):
    q, k = F.elu(Q) + 1, F.elu(K) + 1
    kv = k[0].T @ V[0]
    z = k[0].sum(0)
    return (q @ kv) / (q @ z)[..., None]
