# a sorted row and math.fsum, along the last axis
def softmax(x):
    def one(row):
        ordered = sorted(row.tolist())
        import math

        powers = [math.exp(v - ordered[-1]) for v in row.tolist()]
        return np.array(powers) / math.fsum(powers)

    return np.apply_along_axis(one, -1, x)
