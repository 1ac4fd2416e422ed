# named: linear-epsilon-1e-5, linear-causal
# causal (running sums), and a constant in the denominator
def linear_attention(Q, K, V):
    q, k = F.elu(Q) + 1, F.elu(K) + 1
    state = (k.unsqueeze(-1) * V.unsqueeze(-2)).cumsum(1)
    norm = (q * k.cumsum(1)).sum(-1, keepdim=True) + 1e-5
    return torch.einsum("bnd,bnde->bne", q, state) / norm
