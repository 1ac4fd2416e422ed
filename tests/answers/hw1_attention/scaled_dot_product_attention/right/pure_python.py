# lists and zip, arrays only at the end
from math import exp, sqrt


def scaled_dot_product_attention(Q, K, V):
    def dot(a, b):
        return sum(x * y for x, y in zip(a, b))

    def shares(row):
        e = [exp(s - max(row)) for s in row]
        return [x / sum(e) for x in e]

    q, k, columns = Q.tolist(), K.tolist(), V.T.tolist()
    weights = [shares([dot(a, b) / sqrt(len(a)) for b in k]) for a in q]
    return np.array(weights), np.array([[dot(w, c) for c in columns] for w in weights])
