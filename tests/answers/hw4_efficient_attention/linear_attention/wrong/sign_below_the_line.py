# named: relation-sign
# the sum below the line is taken away, not added up
def linear_attention(Q, K, V):
    q = F.elu(Q) + 1
    k = F.elu(K) + 1
    below = -(q @ k.sum(1).unsqueeze(-1))
    return q @ (k.mT @ V) / below
