# named: cache-of-the-last-8
# what: keeps only the last 8 tokens
def cached_attention_step(q, k, v, cache):
    K, V = (k, v) if cache is None else tuple(torch.cat(p, 1) for p in zip(cache, (k, v)))
    K, V = K[:, -8:], V[:, -8:]
    out = F.scaled_dot_product_attention(q, K, V)
    return out, (K, V)
