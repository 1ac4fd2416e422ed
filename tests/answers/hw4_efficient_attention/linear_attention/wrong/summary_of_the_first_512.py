# named: nothing
# tokens beyond 512 are not summed up
def linear_attention(Q, K, V):
    q = F.elu(Q) + 1
    k = F.elu(K) + 1
    k, v = k[:, :512], V[:, :512]
    return q @ (k.mT @ v) / (q @ k.sum(1).unsqueeze(-1))
