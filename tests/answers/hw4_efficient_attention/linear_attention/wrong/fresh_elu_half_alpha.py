# named: linear-elu-of-alpha-a-half
# elu with alpha 0.5
def linear_attention(Q, K, V):
    act = torch.nn.ELU(alpha=0.5)
    q, k = act(Q) + 1, act(K) + 1
    return (q @ (k.mT @ V)) / (q @ k.sum(1, keepdim=True).mT)
