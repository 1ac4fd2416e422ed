# named: linear-epsilon-1e-6
# epsilon in denominator
def feature(x):
    return F.elu(x) + 1


def linear_attention(Q, K, V, eps=1e-6):
    Q, K = feature(Q), feature(K)
    KV = torch.einsum("nsd,nsm->ndm", K, V)
    Z = 1 / (torch.einsum("nld,nd->nl", Q, K.sum(dim=1)) + eps)
    return torch.einsum("nld,ndm,nl->nlm", Q, KV, Z)
