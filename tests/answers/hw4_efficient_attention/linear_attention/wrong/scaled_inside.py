# named: linear-scaled-before-features
# queries are scaled before φ
def linear_attention(Q, K, V):
    phi_q = F.elu(Q / math.sqrt(Q.shape[-1])) + 1
    phi_k = F.elu(K) + 1
    above = phi_q @ (phi_k.transpose(1, 2) @ V)
    below = phi_q @ phi_k.sum(dim=1, keepdim=True).transpose(1, 2)
    return above / below
