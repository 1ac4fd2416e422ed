# sentence by sentence in float64, a column of ones for the denominator
# per sentence, in float64
def linear_attention(Q, K, V):
    outs = []
    for q, k, v in zip(Q.double(), K.double(), V.double()):
        q, k = torch.nn.functional.elu(q) + 1, torch.nn.functional.elu(k) + 1
        both = k.T @ torch.cat([v, torch.ones_like(v[:, :1])], dim=1)
        r = q @ both
        outs.append(r[:, :-1] / r[:, -1:])
    return torch.stack(outs).float()
