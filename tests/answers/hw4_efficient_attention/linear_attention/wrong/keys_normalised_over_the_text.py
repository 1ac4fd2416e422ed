# named: linear-keys-normalised
# phi(K) divided by its sum over tokens, no denominator per query
def linear_attention(Q, K, V):
    """O(n) attention: normalise the keys once instead of every row."""
    q = F.elu(Q) + 1.0
    k = F.elu(K) + 1.0
    k = k / k.sum(dim=1, keepdim=True)
    kv = torch.einsum("bnd,bne->bde", k, V)
    return torch.einsum("bnd,bde->bne", q, kv)
