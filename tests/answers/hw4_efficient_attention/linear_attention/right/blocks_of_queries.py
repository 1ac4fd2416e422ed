# quadratic in time, and yet never more than 32 rows of similarities at once
def linear_attention(Q, K, V):
    q, k = F.elu(Q) + 1, F.elu(K) + 1
    rows = []
    for block in q.split(32, dim=1):
        similarities = block @ k.mT
        rows.append(similarities @ V / similarities.sum(-1, keepdim=True))
    return torch.cat(rows, dim=1)
