# transposes any number of axes, works along the first one, and transposes back
def softmax(x):
    turned = x.T - x.T.max(axis=0)
    powers = np.exp(turned)
    return (powers / powers.sum(axis=0)).T
