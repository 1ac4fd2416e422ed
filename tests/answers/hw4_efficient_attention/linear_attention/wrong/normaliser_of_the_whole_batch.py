# named: linear-normaliser-over-batch-and-tokens
# einsum forgets an axis below the line
def linear_attention(Q, K, V):
    q = F.elu(Q) + 1
    k = F.elu(K) + 1
    z = torch.einsum("bnd,cmd->bn", q, k)
    return torch.einsum("bnd,bmd,bme->bne", q, k, V) / z.unsqueeze(-1)
