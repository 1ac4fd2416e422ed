# each value is divided by n before it is summed up, and so is each key below the line
def linear_attention(Q, K, V):
    n = Q.shape[1]
    q, k = F.elu(Q) + 1, F.elu(K) + 1
    return torch.bmm(q, torch.bmm(k.mT, V / n)) / torch.bmm(q, (k / n).sum(1)[:, :, None])
