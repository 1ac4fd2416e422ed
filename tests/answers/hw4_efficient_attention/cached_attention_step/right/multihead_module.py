# PyTorch's layer with one head and unit matrices: allowed, if far-fetched
def cached_attention_step(q, k, v, cache):
    d = q.shape[-1]
    if cache is not None:
        k, v = (torch.cat([old, new], dim=1) for old, new in zip(cache, (k, v)))
    layer = torch.nn.MultiheadAttention(d, num_heads=1, bias=False, batch_first=True).eval()
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.eye(d).repeat(3, 1))
        layer.out_proj.weight.copy_(torch.eye(d))
        output, _ = layer(q, k, v, need_weights=True)
    return output, (k, v)
