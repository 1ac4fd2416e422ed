def linear_attention(Q, K, V):
    q, k, v = F.elu(Q.double()) + 1, F.elu(K.double()) + 1, V.double()
    weights_sum = q @ k.sum(1, keepdim=True).transpose(1, 2)
    return (q @ (k.transpose(1, 2) @ v) / weights_sum).to(Q.dtype)
