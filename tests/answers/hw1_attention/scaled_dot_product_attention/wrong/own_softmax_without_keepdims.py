# named: attention-keepdims-lost-in-the-sum
# own softmax inside, keepdims lost in both
def scaled_dot_product_attention(Q, K, V):
    d_k = Q.shape[1]
    scores = np.matmul(Q, np.transpose(K)) / np.sqrt(d_k)
    exps = np.exp(scores - np.max(scores, axis=1)[:, None])
    attention_weights = exps / np.sum(exps, axis=1)
    return attention_weights, np.matmul(attention_weights, V)
