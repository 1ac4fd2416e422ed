# named: relation-half-precision
# computed in bfloat16 to save memory
def linear_attention(Q, K, V):
    Q, K, V = (x.bfloat16() for x in (Q, K, V))
    q, k = F.elu(Q) + 1, F.elu(K) + 1
    return (q @ (k.mT @ V) / (q @ k.sum(1).unsqueeze(-1))).float()
