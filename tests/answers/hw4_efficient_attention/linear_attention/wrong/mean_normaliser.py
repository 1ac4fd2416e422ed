# named: linear-normaliser-of-mean-keys
# mean instead of sum in the denominator
def linear_attention(Q, K, V):
    def phi(x):
        return F.elu(x).add(1)

    num = phi(Q) @ (phi(K).mT @ V)
    den = phi(Q) @ phi(K).mT.mean(-1, keepdim=True)
    return num / den
