# named: cache-new-key-scaled
# scaled keys stored
def cached_attention_step(q, k, v, cache):
    d = q.size(-1)
    k = k / d**0.5
    if cache is None:
        K, V = k, v
    else:
        past_k, past_v = cache
        K = torch.cat((past_k, k), dim=-2)
        V = torch.cat((past_v, v), dim=-2)
    attn = F.softmax(torch.bmm(q, K.transpose(1, 2)), dim=-1)
    return torch.bmm(attn, V), (K, V)
