# the scores themselves
def softmax(x):
    return x.copy()
