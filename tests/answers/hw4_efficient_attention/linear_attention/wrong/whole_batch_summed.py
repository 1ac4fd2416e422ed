# named: linear-one-summary-for-the-batch
# einsum drops the batch index of K, V
def linear_attention(Q, K, V):
    phi_q, phi_k = F.elu(Q) + 1, F.elu(K) + 1
    kv = torch.einsum("bnd,bne->de", phi_k, V)
    z = phi_k.sum(dim=(0, 1))
    return (phi_q @ kv) / (phi_q @ z).unsqueeze(-1)
