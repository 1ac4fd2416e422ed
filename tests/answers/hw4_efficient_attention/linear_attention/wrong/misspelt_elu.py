# named: crash-misspelt
# F.ELU is nn's name, not F's
def linear_attention(Q, K, V):
    q, k = F.ELU(Q) + 1, F.ELU(K) + 1
    return q @ (k.mT @ V) / (q @ k.sum(1).unsqueeze(-1))
