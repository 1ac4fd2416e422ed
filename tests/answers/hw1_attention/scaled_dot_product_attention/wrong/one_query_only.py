# named: attention-first-query-alone
# return in the loop
def scaled_dot_product_attention(Q, K, V):
    weights, contexts = [], []
    for q in Q:
        w = softmax(K @ q / np.sqrt(len(q)))
        weights.append(w)
        contexts.append(V.T @ w)
        return np.array(weights), np.array(contexts)
