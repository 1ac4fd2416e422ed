# named: softmax-rows-by-python, softmax-plain-list
# nested comprehension: list comes back, matrices only
def softmax(x):
    result = []
    for row in x:
        m = max(row)
        e = [np.exp(v - m) for v in row]
        s = sum(e)
        result.append([v / s for v in e])
    return result
