# right; chunks of keys are summed up, double inside
def linear_attention(Q, K, V):
    S, z = 0.0, 0.0
    for k, v in zip(K.double().split(1000, 1), V.double().split(1000, 1)):
        f = F.elu(k) + 1
        S = S + f.transpose(1, 2) @ v
        z = z + f.sum(1)
    f = F.elu(Q.double()) + 1
    return ((f @ S) / (f @ z.unsqueeze(-1))).to(Q.dtype)
