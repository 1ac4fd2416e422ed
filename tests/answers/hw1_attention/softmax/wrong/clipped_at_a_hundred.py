# named: softmax-clipped
# clips to [-100, 100]
def softmax(x):
    z = np.clip(x, -100, 100)
    z = np.exp(z - z.max(axis=-1, keepdims=True))
    z[np.isneginf(x)] = 0
    return z / z.sum(axis=-1, keepdims=True)
