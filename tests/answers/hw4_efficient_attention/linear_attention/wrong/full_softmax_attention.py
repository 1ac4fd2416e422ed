# named: linear-softmax-attention
# no φ at all
def linear_attention(Q, K, V):
    return full_attention(Q, K, V)
