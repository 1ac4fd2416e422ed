# named: linear-divided-by-n
# the number of tokens below the line
def linear_attention(Q, K, V):
    phi_q = F.elu(Q) + 1
    phi_k = F.elu(K) + 1
    above = phi_q @ (phi_k.transpose(1, 2) @ V)
    below = phi_q @ phi_k.sum(dim=1, keepdim=True).transpose(1, 2)
    return above / Q.shape[1]
