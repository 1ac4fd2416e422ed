# named: crash-shapes, crash-broadcast, relation-earlier-call
# masks are kept by window, whatever the length
_masks = {}


def sliding_window_attention(Q, K, V, window):
    if window not in _masks:
        i = torch.arange(Q.shape[1])
        _masks[window] = (i[:, None] - i).abs() <= window
    return full_attention(Q, K, V, mask=_masks[window])
