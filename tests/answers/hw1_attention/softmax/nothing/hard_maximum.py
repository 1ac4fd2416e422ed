# everything to the largest score; equal ones share
def softmax(x):
    best = (x == x.max(axis=-1, keepdims=True)).astype(float)
    return best / best.sum(axis=-1, keepdims=True)
