def sliding_window_attention(Q, K, V, window):
    n = Q.shape[1]
    band = torch.ones(n, n, dtype=torch.bool).tril(window).triu(-window)
    return F.scaled_dot_product_attention(Q, K, V, attn_mask=band)
