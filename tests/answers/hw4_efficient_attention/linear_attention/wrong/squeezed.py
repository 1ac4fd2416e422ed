# named: linear-squeezed
# squeeze takes axes that should stay
def linear_attention(Q, K, V):
    q = F.elu(Q) + 1
    k = F.elu(K) + 1
    below = q @ k.sum(1).unsqueeze(-1)
    return (q @ (k.mT @ V) / below).squeeze()
