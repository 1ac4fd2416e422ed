# named: cache-weights-returned
# the weights never meet the values
def cached_attention_step(q, k, v, cache):
    d_k = q.size(-1)
    if cache is None:
        K = k
        V = v
    else:
        prev_k, prev_v = cache
        K = torch.cat([prev_k, k], dim=1)
        V = torch.cat([prev_v, v], dim=1)
    scores = torch.matmul(q, K.transpose(-2, -1)) / math.sqrt(d_k)
    weights = F.softmax(scores, dim=-1)
    output = torch.matmul(weights, V)
    return weights, (K, V)
