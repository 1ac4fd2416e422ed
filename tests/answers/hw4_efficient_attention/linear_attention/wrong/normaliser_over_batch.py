# named: linear-normaliser-over-batch-and-tokens
# keys summed over batch
def linear_attention(Q, K, V):
    q = F.elu(Q) + 1
    k = F.elu(K) + 1
    kv = k.transpose(1, 2).matmul(V)
    z = k.sum(dim=(0, 1))
    return q.matmul(kv) / q.matmul(z).unsqueeze(-1)
