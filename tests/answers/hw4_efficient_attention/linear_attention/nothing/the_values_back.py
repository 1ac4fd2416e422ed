# the values themselves
def linear_attention(Q, K, V):
    return V.clone()
