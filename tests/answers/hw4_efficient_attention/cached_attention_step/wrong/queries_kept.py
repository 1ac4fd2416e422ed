# named: cache-query-kept-for-the-key, cache-query-joined-to-the-keys
# what: the cache of keys is extended by the query
def cached_attention_step(q, k, v, cache):
    if cache is not None:
        past_keys, past_values = cache
        q_all = torch.cat((past_keys, q), dim=-2)
        v = torch.cat((past_values, v), dim=-2)
    else:
        q_all = q
    out = F.scaled_dot_product_attention(q, q_all, v)
    return out, (q_all, v)
