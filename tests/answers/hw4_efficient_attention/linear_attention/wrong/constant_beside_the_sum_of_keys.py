# named: linear-epsilon-beside-each-key-sum
# a constant is added to the sum of the keys' features
def linear_attention(Q, K, V):
    phi = lambda x: F.elu(x) + 1
    q, k = phi(Q), phi(K)
    kv = torch.einsum("bnd,bne->bde", k, V)
    z = 1 / torch.einsum("bnd,bd->bn", q, k.sum(dim=1) + 1e-6)
    return torch.einsum("bnd,bde,bn->bne", q, kv, z)
