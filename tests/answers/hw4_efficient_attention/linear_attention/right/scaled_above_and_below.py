# √d cancels out, if it divides both sums
def linear_attention(Q, K, V):
    q = (F.elu(Q) + 1) / math.sqrt(Q.shape[-1])
    k = F.elu(K) + 1
    return q @ (k.mT @ V) * (q @ k.sum(1)[:, :, None]).reciprocal()
