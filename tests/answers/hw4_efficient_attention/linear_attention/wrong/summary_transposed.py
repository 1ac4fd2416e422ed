# named: linear-summary-transposed
# values with keys instead of keys with values
def linear_attention(Q, K, V):
    phi_q = F.elu(Q) + 1
    phi_k = F.elu(K) + 1
    above = phi_q @ (V.transpose(1, 2) @ phi_k)
    below = phi_q @ phi_k.sum(dim=1, keepdim=True).transpose(1, 2)
    return above / below
