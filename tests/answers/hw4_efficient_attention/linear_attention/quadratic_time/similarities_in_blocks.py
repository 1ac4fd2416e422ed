# equation 4 as it is written, a block of queries at a time: memory is saved, time isn't
def linear_attention(Q, K, V):
    q, k = F.elu(Q) + 1, F.elu(K) + 1
    rows = []
    for part in q.split(256, dim=1):
        similarities = part @ k.transpose(1, 2)
        rows.append(similarities @ V / similarities.sum(-1, keepdim=True))
    return torch.cat(rows, dim=1)
