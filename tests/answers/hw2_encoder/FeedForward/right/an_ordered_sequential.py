class FeedForward(nn.Sequential):
    def __init__(self, d_model, d_ff):
        from collections import OrderedDict

        super().__init__(
            OrderedDict(
                linear1=nn.Linear(d_model, d_ff),
                relu=nn.ReLU(inplace=True),
                linear2=nn.Linear(d_ff, d_model),
            )
        )
