# right: room copied by hand, torch's own attention, cache as a list
def cached_attention_step(q, k, v, cache):
    b, _, d = k.shape
    old = 0 if cache is None else cache[0].shape[1]
    room = k.new_empty(2, b, old + 1, d)
    if old:
        room[0, :, :old], room[1, :, :old] = cache
    room[0, :, old:] = k
    room[1, :, old:] = v
    keys, values = room.unbind(0)
    return F.scaled_dot_product_attention(q, keys, values), [keys, values]
