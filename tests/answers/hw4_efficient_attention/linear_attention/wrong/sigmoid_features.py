# named: linear-sigmoid
# any positive function will do, it is thought
def linear_attention(Q, K, V):
    q, k = torch.sigmoid(Q), torch.sigmoid(K)
    return q @ (k.mT @ V) / (q @ k.sum(1)[..., None])
