# named: softmax-hidden-made-finite, softmax-hidden-not-quite-zero
# a big finite number for -inf leaks attention to masked entries
def softmax(x):
    x = np.nan_to_num(x, neginf=-10)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
