# named: linear-normaliser-squeezed
# squeeze() and unsqueeze(-1) on the denominator
def linear_attention(Q, K, V):
    q, k = F.elu(Q) + 1, F.elu(K) + 1
    num = torch.matmul(q, torch.matmul(k.transpose(1, 2), V))
    den = torch.matmul(q, k.sum(dim=1).unsqueeze(2)).squeeze()
    return num / den.unsqueeze(-1)
