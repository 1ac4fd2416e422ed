# named: softmax-first-axis
# works along axis 0 (a generator over columns)
def softmax(x):
    def column(c):
        c = np.exp(c - c.max())
        return c / c.sum()

    return np.apply_along_axis(column, 0, x)
