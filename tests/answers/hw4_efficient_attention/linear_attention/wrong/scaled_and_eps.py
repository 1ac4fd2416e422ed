# named: linear-scaled-before-features, linear-epsilon-1e-6
# two: scaled; eps
def linear_attention(Q, K, V):
    d = Q.shape[-1]
    q = F.elu(Q / math.sqrt(d)) + 1
    k = F.elu(K) + 1
    S = torch.bmm(k.transpose(1, 2), V)
    z = k.sum(1).unsqueeze(2)
    return torch.bmm(q, S) / (torch.bmm(q, z) + 1e-6)
