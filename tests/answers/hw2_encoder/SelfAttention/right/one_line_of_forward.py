# forward in a line, with a walrus; nothing kept but the layers
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        nn.Module.__init__(self)
        layers = {name: nn.Linear(d_model, d_k) for name in ("W_V", "W_K", "W_Q")}
        [self.add_module(*layer) for layer in layers.items()]

    def forward(self, X):
        return (
            A := ((Q := self.W_Q(X)) @ self.W_K(X).mT * Q.size(2) ** -0.5).softmax(2)
        ) @ self.W_V(X), A
