# named: linear-causal
# cumsum, as for a decoder
def linear_attention(Q, K, V):
    q = F.elu(Q) + 1
    k = F.elu(K) + 1
    kv = (k.unsqueeze(-1) * V.unsqueeze(-2)).cumsum(1)
    z = (q * k.cumsum(1)).sum(-1, keepdim=True)
    return (q.unsqueeze(-2) @ kv).squeeze(-2) / z
