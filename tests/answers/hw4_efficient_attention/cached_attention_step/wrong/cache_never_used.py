# named: cache-new-token-alone-attended, cache-newest-only, relation-ignores-argument, relation-returns-input
# the argument cache is never read
def cached_attention_step(q, k, v, cache):
    weights = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1)
    return weights @ v, (k, v)
