# named: softmax-hidden-taken-for-zero
# -inf is treated as a score of 0
def softmax(x):
    clean = np.nan_to_num(x, neginf=0.0)
    clean = clean - clean.max(axis=-1, keepdims=True)
    numer = np.exp(clean)
    return numer / numer.sum(axis=-1, keepdims=True)
