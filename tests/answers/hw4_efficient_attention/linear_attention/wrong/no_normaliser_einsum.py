# named: linear-no-normaliser
# missing normaliser
def linear_attention(Q, K, V):
    q = torch.nn.ELU()(Q) + 1.0
    k = torch.nn.ELU()(K) + 1.0
    context = torch.einsum("bnd,bne->bde", k, V)
    out = torch.einsum("bnd,bde->bne", q, context)
    return out.contiguous()
