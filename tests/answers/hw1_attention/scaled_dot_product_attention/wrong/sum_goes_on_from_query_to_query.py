# named: relation-running-total
def scaled_dot_product_attention(Q, K, V):
    A = softmax(np.einsum("ik,jk->ij", Q, K) / np.sqrt(Q.shape[1]))
    total = np.zeros(V.shape[1])
    context = []
    for row in A:
        for a, v in zip(row, V):
            total = total + a * v
        context.append(total)
    return A, np.array(context)
