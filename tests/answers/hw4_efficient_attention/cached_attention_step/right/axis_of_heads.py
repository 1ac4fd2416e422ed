# as models keep it: an axis for the heads, of which there is one
def cached_attention_step(q, k, v, cache):
    q, k, v = (x.unsqueeze(1) for x in (q, k, v))
    past = tuple(x.unsqueeze(1) for x in cache) if cache else None
    if past is not None:
        k, v = torch.cat((past[0], k), dim=-2), torch.cat((past[1], v), dim=-2)
    out = F.scaled_dot_product_attention(q, k, v)
    return out.squeeze(1), (k.squeeze(1), v.squeeze(1))
