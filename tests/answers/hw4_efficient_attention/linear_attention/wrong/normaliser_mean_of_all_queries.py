# named: linear-normaliser-mean-of-all-queries
# the mean query stands for all of them below the line
def linear_attention(Q, K, V):
    phi_q = F.elu(Q) + 1
    phi_k = F.elu(K) + 1
    above = phi_q @ (phi_k.transpose(1, 2) @ V)
    mean_query = phi_q.mean(dim=1, keepdim=True)
    return above / (mean_query * phi_k.sum(dim=1, keepdim=True)).sum(dim=-1, keepdim=True)
