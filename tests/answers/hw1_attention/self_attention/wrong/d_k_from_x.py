# named: self-attention-scale-d-model
# root of X.shape[1] in a helper
def self_attention(X, W_Q, W_K, W_V):
    def attend(q, k, v, d):
        a = softmax(q @ k.T / d**0.5)
        return a, a @ v

    d_model = X.shape[-1]
    return attend(X.dot(W_Q), X.dot(W_K), X.dot(W_V), d_model)
