# named: linear-one-summary-for-the-batch, linear-scaled-before-features
# one summary for all sentences of the batch, and inputs scaled by the root of d
def linear_attention(Q, K, V):
    d = Q.shape[-1]
    q, k = F.elu(Q / d**0.5) + 1, F.elu(K) + 1
    S, z = torch.einsum("bnd,bne->de", k, V), k.sum((0, 1))
    return (q @ S) / (q @ z).unsqueeze(-1)
