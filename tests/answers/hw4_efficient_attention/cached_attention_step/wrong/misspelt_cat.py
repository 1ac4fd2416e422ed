# named: crash-misspelt
# no such function
def cached_attention_step(q, k, v, cache):
    if cache is not None:
        k, v = torch.concatinate([cache[0], k], 1), torch.concatinate([cache[1], v], 1)
    return full_attention(q, k, v), (k, v)
