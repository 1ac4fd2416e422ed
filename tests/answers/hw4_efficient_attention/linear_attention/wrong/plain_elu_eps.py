# named: linear-no-plus-one, linear-epsilon-1e-8
# two: elu without one; eps
def linear_attention(Q, K, V):
    q, k = F.elu(Q), F.elu(K)
    kv = torch.einsum("bnd,bne->bde", k, V)
    den = torch.einsum("bnd,bd->bn", q, k.sum(1)).unsqueeze(-1)
    return torch.einsum("bnd,bde->bne", q, kv) / (den + 1e-8)
