# both sums divided by n: the quotient is the same
def linear_attention(Q, K, V):
    q, k = F.elu(Q) + 1, F.elu(K) + 1
    n = K.shape[1]
    return q @ (k.mT @ V / n) / (q @ k.mean(1).unsqueeze(-1))
