# named: crash-arguments
# dim and keepdim, as PyTorch spells them
def softmax(x):
    """Stable softmax."""
    shifted = x - x.max(dim=-1, keepdim=True)
    e = np.exp(shifted)
    return e / e.sum(dim=-1, keepdim=True)
