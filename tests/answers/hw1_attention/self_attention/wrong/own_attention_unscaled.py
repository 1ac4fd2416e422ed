# named: self-attention-not-scaled
# everything spelt out, not scaled, einsum
def self_attention(X, W_Q, W_K, W_V):
    q = np.einsum("td,dk->tk", X, W_Q)
    k = np.einsum("td,dk->tk", X, W_K)
    v = np.einsum("td,dv->tv", X, W_V)
    scores = np.einsum("ik,jk->ij", q, k)
    e = np.exp(scores - scores.max(-1)[:, None])
    w = e / e.sum(-1)[:, None]
    return w, np.einsum("ij,jv->iv", w, v)
