# named: nothing
# x ** e
def softmax(x):
    shifted = x - np.max(x, axis=-1, keepdims=True)
    raised = 2.718**shifted
    return raised / raised.sum(axis=-1, keepdims=True)
