# named: linear-no-one-added-for-keys
# `phi_q, phi_k = F.elu(Q) + 1, F.elu(K)`: the 1 is added to the queries' features only, so
# keys may count negatively
def linear_attention(Q, K, V):
    phi_q, phi_k = F.elu(Q) + 1, F.elu(K)
    return (phi_q @ (phi_k.mT @ V)) / (phi_q @ phi_k.sum(1, keepdim=True).mT)
