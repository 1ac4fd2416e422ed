# named: softmax-hidden-not-quite-zero
# -inf replaced by -1000 (neginf of nan_to_num): hidden entries count where scores are low
def softmax(x):
    x = np.nan_to_num(x, neginf=-1000.0)  # get rid of infinities first
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
