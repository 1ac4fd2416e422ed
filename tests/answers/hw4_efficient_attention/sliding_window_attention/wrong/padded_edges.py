# named: sliding-window-ends-repeated
# edge replicated
def sliding_window_attention(Q, K, V, window):
    n, d = Q.shape[-2:]

    def win(x):
        x = F.pad(x.transpose(1, 2), (window, window), mode="replicate")
        return x.unfold(2, 2 * window + 1, 1)

    Kw, Vw = win(K), win(V)
    s = torch.einsum("bnd,bdnw->bnw", Q, Kw) / math.sqrt(d)
    return torch.einsum("bnw,bdnw->bnd", torch.softmax(s, dim=-1), Vw)
