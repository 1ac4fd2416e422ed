# named: linear-normaliser-of-all-queries
# queries and keys are both added up before they meet below the line
def linear_attention(Q, K, V):
    phi_q = F.elu(Q) + 1
    phi_k = F.elu(K) + 1
    above = torch.einsum("bnd,bmd,bme->bne", phi_q, phi_k, V)
    below = torch.einsum("bd,bd->b", phi_q.sum(1), phi_k.sum(1))
    return above / below[:, None, None]
