def linear_attention(Q, K, V):
    q, k = F.elu(Q) + 1, F.elu(K) + 1
    kv = torch.einsum("bnd,bne->bde", k, V)
    z = 1 / torch.einsum("bnd,bd->bn", q, k.sum(1))
    return torch.einsum("bnd,bde,bn->bne", q, kv, z)
