# named: linear-queries-without-features, linear-divided-by-n
# what: divided by n instead of the normaliser, phi only on keys
def linear_attention(Q, K, V):
    k = F.elu(K) + 1
    return Q @ (k.transpose(1, 2) @ V) / K.shape[1]
