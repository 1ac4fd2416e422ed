def linear_attention(Q, K, V):
    q, k = F.elu(Q) + 1, F.elu(K) + 1
    weights = torch.einsum("bid,bjd->bij", q, k)
    return torch.einsum("bij,bje->bie", weights / weights.sum(2, keepdim=True), V)
