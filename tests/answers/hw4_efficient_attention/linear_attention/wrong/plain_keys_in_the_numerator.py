# named: linear-summary-without-features
# the summary is made of keys without their features
def linear_attention(Q, K, V):
    phi = lambda x: F.elu(x) + 1
    q, k = phi(Q), phi(K)
    kv = torch.einsum("bnd,bne->bde", K, V)
    z = 1 / torch.einsum("bnd,bd->bn", q, k.sum(dim=1))
    return torch.einsum("bnd,bde,bn->bne", q, kv, z)
