class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.forward = nn.Sequential(self.linear1, nn.ReLU(inplace=True), self.linear2).forward
