# the values themselves
def sliding_window_attention(Q, K, V, window):
    return V.clone()
