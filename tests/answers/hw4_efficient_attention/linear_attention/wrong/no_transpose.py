# named: linear-keys-not-transposed, crash-shapes
# the summary can't be formed
def linear_attention(Q, K, V):
    phi_q = F.elu(Q) + 1
    phi_k = F.elu(K) + 1
    above = phi_q @ (phi_k @ V)
    below = phi_q @ phi_k.sum(dim=1, keepdim=True).transpose(1, 2)
    return above / below
