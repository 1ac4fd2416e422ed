# right; a column of ones beside V
def linear_attention(Q, K, V):
    ones = torch.ones_like(V[..., :1])
    phi = lambda x: x.clamp(min=0) + x.clamp(max=0).exp()
    both = phi(Q) @ torch.einsum("bnd,bne->bde", phi(K), torch.cat([V, ones], -1))
    return both[..., :-1] / both[..., -1:]
