# the plain average of all values
def linear_attention(Q, K, V):
    return V.mean(1, keepdim=True).expand_as(V).clone()
