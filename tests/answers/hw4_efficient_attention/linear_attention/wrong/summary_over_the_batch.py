# named: linear-summary-over-batch
# one summary for all sentences
def linear_attention(Q, K, V):
    phi_q = F.elu(Q) + 1
    phi_k = F.elu(K) + 1
    above = phi_q @ (torch.einsum("bnd,bne->de", phi_k, V))
    below = phi_q @ phi_k.sum(dim=1, keepdim=True).transpose(1, 2)
    return above / below
