# named: attention-scale-number-of-keys
# what: divided by the root of the number of keys, in einsum
def scaled_dot_product_attention(Q, K, V):
    s = np.einsum("id,jd->ij", Q, K) * len(K) ** -0.5
    s = s - s.max(axis=1, keepdims=True)
    w = np.exp(s)
    w = np.einsum("ij,i->ij", w, 1.0 / w.sum(axis=1))
    return w, np.einsum("ij,jv->iv", w, V)
