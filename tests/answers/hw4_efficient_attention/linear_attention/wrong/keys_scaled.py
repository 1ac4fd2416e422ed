# named: linear-keys-scaled-before-features
# the keys are scaled as in softmax attention
def linear_attention(Q, K, V):
    q = F.elu(Q) + 1
    k = F.elu(K * K.shape[-1] ** -0.5) + 1
    return (q @ (k.mT @ V)) / (q @ k.sum(1).unsqueeze(-1))
