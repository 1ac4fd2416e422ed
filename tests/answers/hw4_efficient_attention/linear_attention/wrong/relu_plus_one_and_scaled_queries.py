# named: linear-relu-plus-one, linear-scaled-before-features
def linear_attention(Q, K, V):
    d = Q.size(-1)
    q = F.relu(Q / math.sqrt(d)) + 1
    k = F.relu(K) + 1
    numerator = q @ (k.transpose(1, 2) @ V)
    denominator = (q * k.sum(dim=1, keepdim=True)).sum(dim=-1, keepdim=True)
    return numerator / denominator
