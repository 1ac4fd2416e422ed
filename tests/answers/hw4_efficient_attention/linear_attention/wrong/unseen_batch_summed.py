# named: linear-one-summary-for-the-batch
# what: sum over the batch as well in the key-value summary; the normaliser too
def linear_attention(Q, K, V):
    q, k = F.elu(Q) + 1, F.elu(K) + 1
    kv = torch.einsum("bnd,bne->de", k, V)
    z = torch.einsum("bnd->d", k)
    return (q @ kv) / (q @ z).unsqueeze(-1)
