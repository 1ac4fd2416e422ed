# named: nothing
# no feature may exceed 5, so that nothing explodes
def linear_attention(Q, K, V):
    phi_q = (F.elu(Q) + 1).clamp(max=5)
    phi_k = (F.elu(K) + 1).clamp(max=5)
    above = phi_q @ (phi_k.transpose(1, 2) @ V)
    below = phi_q @ phi_k.sum(dim=1, keepdim=True).transpose(1, 2)
    return above / below
