# named: linear-values-with-features
# what: φ is applied to the values too
def linear_attention(Q, K, V):
    Q, K, V = [F.elu(t) + 1 for t in (Q, K, V)]
    weights_sum = Q @ K.sum(dim=1)[:, :, None]
    return Q @ (K.transpose(1, 2) @ V) / weights_sum
