# named: linear-epsilon-1e-6
# 1e-6 is added to the denominator; harmless clamp
def linear_attention(Q, K, V):
    Q, K = Q.clamp(-8, 8), K.clamp(-8, 8)
    fq, fk = 1 + F.elu(Q), 1 + F.elu(K)
    z = 1 / (torch.einsum("bnd,bd->bn", fq, fk.sum(dim=1)) + 1e-6)
    return torch.einsum("bnd,bdm,bn->bnm", fq, torch.einsum("bsd,bsm->bdm", fk, V), z)
