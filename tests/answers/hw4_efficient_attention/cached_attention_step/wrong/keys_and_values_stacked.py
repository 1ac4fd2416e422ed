# named: cache-in-one-tensor
def cached_attention_step(q, k, v, cache):
    if cache is not None:
        past_k, past_v = cache
        k = torch.cat([past_k, k], dim=1)
        v = torch.cat([past_v, v], dim=1)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    attn = F.softmax(scores, dim=-1)
    return attn @ v, torch.stack([k, v])
