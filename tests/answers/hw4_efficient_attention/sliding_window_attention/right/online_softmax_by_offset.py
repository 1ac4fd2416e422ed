def _pair(n, offset):
    """Slices (queries, keys) such that key = query + offset."""
    if offset >= 0:
        return slice(0, n - offset), slice(offset, n)
    return slice(-offset, n), slice(0, n + offset)


def sliding_window_attention(Q, K, V, window):
    b, n, d = Q.shape
    reach = min(int(window), n - 1)
    top = torch.full((b, n, 1), float("-inf"), dtype=Q.dtype, device=Q.device)
    below = torch.zeros_like(top)
    above = torch.zeros_like(V)
    for offset in range(-reach, reach + 1):
        qs, ks = _pair(n, offset)
        s = (Q[:, qs] * K[:, ks]).sum(-1, keepdim=True) * d**-0.5
        m_old = top[:, qs].clone()
        m_new = torch.maximum(m_old, s)
        shrink = torch.exp(m_old - m_new)
        e = torch.exp(s - m_new)
        above[:, qs] = above[:, qs] * shrink + e * V[:, ks]
        below[:, qs] = below[:, qs] * shrink + e
        top[:, qs] = m_new
    return above / below
