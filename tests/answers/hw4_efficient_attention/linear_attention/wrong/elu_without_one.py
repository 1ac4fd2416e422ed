# named: linear-no-plus-one
# the 1 is missing
def linear_attention(Q, K, V):
    phi_q = F.elu(Q)
    phi_k = F.elu(K)
    above = phi_q @ (phi_k.transpose(1, 2) @ V)
    below = phi_q @ phi_k.sum(dim=1, keepdim=True).transpose(1, 2)
    return above / below
