# named: sliding-window-causal
# looks back only, odd style
def sliding_window_attention(Q, K, V, window):
    T = Q.size(1)
    out = []
    for t in range(T):
        first = max(0, t - window)
        ks = K[:, first : t + 1]
        vs = V[:, first : t + 1]
        att = torch.softmax(Q[:, t : t + 1] @ ks.transpose(-2, -1) / (Q.size(-1) ** 0.5), dim=-1)
        out.append(att @ vs)
    return torch.cat(out, dim=1)
