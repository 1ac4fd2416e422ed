# named: cache-query-joined-to-the-keys
def cached_attention_step(q, k, v, cache):
    if cache is not None:
        past_k, past_v = cache
        k = torch.cat([past_k, q], dim=1)
        v = torch.cat([past_v, v], dim=1)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    attn = F.softmax(scores, dim=-1)
    return attn @ v, (k, v)
