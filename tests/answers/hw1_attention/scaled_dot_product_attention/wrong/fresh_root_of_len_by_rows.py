# named: attention-scale-number-of-keys
# the root of the number of keys, one query at a time
def scaled_dot_product_attention(Q, K, V):
    rows = []
    for q in Q:
        s = np.array([np.dot(q, k) for k in K]) * len(K) ** -0.5
        s = np.exp(s - max(s))
        rows.append(s / sum(s))
    A = np.stack(rows)
    return A, np.stack([sum(a * v for a, v in zip(row, V)) for row in A])
