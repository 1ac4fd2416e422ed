# named: crash-misspelt
# a row at a time by math.exp, and no import
def softmax(x):
    rows = []
    for row in x.reshape(-1, x.shape[-1]):
        powers = [math.exp(score - max(row)) for score in row]
        rows.append([power / sum(powers) for power in powers])
    return np.array(rows).reshape(x.shape)
