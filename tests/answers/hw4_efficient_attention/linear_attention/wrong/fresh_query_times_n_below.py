# named: relation-factor
# the denominator is a plain sum of the query's features times n (keys are not in it)
def linear_attention(Q, K, V):
    q, k = map(lambda t: torch.add(F.elu(t), 1), (Q, K))
    summary = torch.einsum("bnd,bne->bde", k, V)
    top = torch.einsum("bnd,bde->bne", q, summary)
    return top / (q.sum(-1, keepdim=True) * K.shape[1])
