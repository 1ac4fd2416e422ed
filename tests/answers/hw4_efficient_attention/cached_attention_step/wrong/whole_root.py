# named: cache-scale-cut-off
# math.isqrt for the root
from collections import deque


def cached_attention_step(q, k, v, cache):
    ks, vs = (deque(), deque()) if cache is None else (deque(part.unbind(1)) for part in cache)
    ks.append(k[:, 0])
    vs.append(v[:, 0])
    keys, values = torch.stack(list(ks), 1), torch.stack(list(vs), 1)
    shares = torch.softmax((q * keys).sum(-1) / math.isqrt(k.shape[2]), dim=1)
    return (shares[..., None] * values).sum(1, keepdim=True), (keys, values)
