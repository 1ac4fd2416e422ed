# named: attention-dictionary
# returns a dict
def scaled_dot_product_attention(Q, K, V):
    w = softmax(Q @ K.T / np.sqrt(Q.shape[-1]))
    return {"attention_weights": w, "context": w @ V}
