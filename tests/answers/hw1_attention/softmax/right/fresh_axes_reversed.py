# right; reversed axes
def softmax(x):
    t = np.transpose(x)
    t = np.exp(t - t.max(axis=0))
    return np.transpose(t / t.sum(axis=0))
