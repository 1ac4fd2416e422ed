# named: cache-not-scaled
# never scaled; an empty cache is made at first
def cached_attention_step(q, k, v, cache):
    empty = k[:, :0]
    old_k, old_v = cache or (empty, empty)
    new = torch.cat((old_k, k), dim=-2), torch.cat((old_v, v), dim=-2)
    attn = F.softmax(torch.bmm(q, new[0].transpose(1, 2)), dim=2)
    return torch.bmm(attn, new[1]), new
