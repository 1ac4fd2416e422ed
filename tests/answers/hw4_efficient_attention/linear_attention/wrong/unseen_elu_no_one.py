# named: linear-relu-plus-one
# what: relu + 1 in place of elu + 1, odd style
def linear_attention(Q, K, V):
    f = lambda t: t.clamp(min=0).add(1)
    q, k = map(f, (Q, K))
    kv = torch.einsum("bnd,bne->bde", k, V)
    z = torch.einsum("bnd,bd->bn", q, k.sum(1))
    return torch.einsum("bnd,bde->bne", q, kv) / z[..., None]
