class SlidingWindow:
    """An object that can be called is as good as a function."""

    def scores(self, Q, K, i, near):
        return (K[:, near] * Q[:, [i]]).sum(-1) / math.sqrt(Q.size(-1))

    def __call__(self, Q, K, V, window):
        out = torch.zeros(Q.shape)
        for i in range(Q.size(1)):
            near = range(max(i - window, 0), min(i + window, Q.size(1) - 1) + 1)
            near = slice(near.start, near.stop)
            shares = F.softmax(self.scores(Q, K, i, near), dim=1)
            out[:, i] = (shares[:, :, None] * V[:, near]).sum(1)
        return out


sliding_window_attention = SlidingWindow()
