# right; token by token, lists and a dictionary
def self_attention(X, W_Q, W_K, W_V):
    words = {i: {"q": x @ W_Q, "k": x @ W_K, "v": x @ W_V} for i, x in enumerate(X)}
    weights, context = [], []
    for i in words:
        s = [float(words[i]["q"] @ words[j]["k"]) / np.sqrt(W_K.shape[1]) for j in words]
        e = [np.exp(a - max(s)) for a in s]
        row = [a / sum(e) for a in e]
        weights.append(row)
        context.append(sum(w * words[j]["v"] for j, w in enumerate(row)))
    return np.array(weights), np.array(context)
