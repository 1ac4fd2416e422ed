# named: linear-epsilon-1e-6
# what: 1e-6 added to the denominator; harmless clone
def linear_attention(Q, K, V):
    Q, K = Q.clone(), K.clone()
    fq, fk = F.elu(Q) + 1.0, F.elu(K) + 1.0
    num = fq @ (fk.mT @ V)
    den = (fq * fk.sum(dim=1, keepdim=True)).sum(-1, keepdim=True)
    return num / (den + 1e-6)
