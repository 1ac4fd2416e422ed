# named: cache-softmax-over-batch
# what: softmax over the batch axis
def cached_attention_step(q, k, v, cache):
    if cache is not None:
        k = torch.cat([cache[0], k], dim=1)
        v = torch.cat([cache[1], v], dim=1)
    scores = (q * k).sum(-1) / math.sqrt(k.size(-1))
    probs = scores.softmax(0)
    return (probs[..., None] * v).sum(1, keepdim=True), (k, v)
