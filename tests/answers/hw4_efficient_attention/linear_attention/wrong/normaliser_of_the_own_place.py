# named: linear-normaliser-over-batch
# sum(0) is the batch, not the tokens
def linear_attention(Q, K, V):
    q = F.elu(Q) + 1
    k = F.elu(K) + 1
    below = (q * k.sum(0)).sum(-1, keepdim=True)
    return q @ (k.transpose(1, 2) @ V) / below
