# running sums, of which only the last is read
def linear_attention(Q, K, V):
    q, k = F.elu(Q) + 1, F.elu(K) + 1
    summary = (k.unsqueeze(-1) * V.unsqueeze(-2)).cumsum(1)[:, -1]
    total = k.cumsum(1)[:, -1:]
    return (q @ summary) / (q * total).sum(-1, keepdim=True)
