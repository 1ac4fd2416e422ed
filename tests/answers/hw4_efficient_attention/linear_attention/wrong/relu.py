# named: linear-relu
# ReLU for ELU plus one
def linear_attention(Q, K, V):
    phi_q = F.relu(Q)
    phi_k = F.relu(K)
    above = phi_q @ (phi_k.transpose(1, 2) @ V)
    below = phi_q @ phi_k.sum(dim=1, keepdim=True).transpose(1, 2)
    return above / below
