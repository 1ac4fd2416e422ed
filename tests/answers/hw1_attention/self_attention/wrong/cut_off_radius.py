# named: relation-partly-right
# a physicist's cut-off: tokens more than 8 places apart don't interact, which shows for n > 9
def self_attention(X, W_Q, W_K, W_V):
    r = np.arange(len(X))
    energy = np.einsum("ia,ab,cb,jc->ij", X, W_Q, W_K, X) / np.sqrt(W_Q.shape[1])
    energy[np.abs(r[:, None] - r[None, :]) > 8] = -np.inf
    weights = softmax(energy)
    return weights, np.einsum("ij,ja,ab->ib", weights, X, W_V)
