# sums over chunks
def linear_attention(Q, K, V):
    def phi(x):
        return torch.exp(torch.minimum(x, torch.zeros_like(x))) + torch.relu(x)

    S, z = 0, 0
    for k, v in zip(K.split(1000, 1), V.split(1000, 1)):
        S = S + phi(k).transpose(1, 2).matmul(v)
        z = z + phi(k).sum(1)
    z = z.unsqueeze(2)
    return torch.cat([phi(q).bmm(S) / phi(q).bmm(z) for q in Q.split(777, 1)], 1)
