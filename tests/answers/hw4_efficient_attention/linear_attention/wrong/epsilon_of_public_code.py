# named: linear-epsilon-1e-6
# eps below the line, as many libraries have it
def linear_attention(Q, K, V, eps=1e-6):
    Q, K = F.elu(Q) + 1, F.elu(K) + 1
    KV = torch.einsum("nsd,nsm->nmd", K, V)
    Z = 1 / (torch.einsum("nld,nd->nl", Q, K.sum(dim=1)) + eps)
    return torch.einsum("nld,nmd,nl->nlm", Q, KV, Z)
