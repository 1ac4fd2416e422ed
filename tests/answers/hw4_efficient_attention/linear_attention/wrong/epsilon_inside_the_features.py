# named: linear-epsilon-in-features
# features are kept away from 0
def linear_attention(Q, K, V):
    phi = lambda x: F.elu(x) + 1 + 1e-6
    q, k = phi(Q), phi(K)
    return (q @ (k.mT @ V)) / (q * k.sum(1, keepdim=True)).sum(-1, keepdim=True)
