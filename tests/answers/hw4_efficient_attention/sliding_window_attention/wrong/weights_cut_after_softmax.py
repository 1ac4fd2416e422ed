# named: sliding-window-masked-after-softmax
# the band after the softmax
def sliding_window_attention(Q, K, V, window):
    scores = Q @ K.mT / math.sqrt(Q.shape[-1])
    weights = torch.softmax(scores, dim=-1)
    band = torch.ones_like(weights).tril(window).triu(-window)
    return (weights * band) @ V
