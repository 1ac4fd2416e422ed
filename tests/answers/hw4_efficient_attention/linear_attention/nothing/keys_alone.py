# weights from the keys alone, the same for every query
def linear_attention(Q, K, V):
    phi = (F.elu(K) + 1).sum(-1, keepdim=True)
    return ((phi * V).sum(1, keepdim=True) / phi.sum(1, keepdim=True)).expand_as(V).clone()
