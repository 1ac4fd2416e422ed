# named: attention-root-forgotten
# divides by d_k, own odd softmax
def scaled_dot_product_attention(Q, K, V):
    d_k = len(K[0])
    S = np.array([[sum(q * k) for k in K] for q in Q]) / d_k
    S = S - S.max(1, keepdims=True)
    S = np.exp(S)
    S = S / S.sum(1).reshape(-1, 1)
    return S, np.array([sum(w * v for w, v in zip(row, V)) for row in S])
