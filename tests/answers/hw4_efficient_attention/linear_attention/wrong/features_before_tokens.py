# named: relation-transposed, relation-axes-exchanged
# comes back as (batch, d, n)
def linear_attention(Q, K, V):
    q = F.elu(Q) + 1
    k = F.elu(K) + 1
    kv = torch.einsum("bnd,bne->bde", k, V)
    z = torch.einsum("bnd,bd->bn", q, k.sum(1))
    return torch.einsum("bnd,bde->ben", q, kv) / z.unsqueeze(1)
