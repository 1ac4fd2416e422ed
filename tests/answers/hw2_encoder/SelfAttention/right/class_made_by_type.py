def _attend(module, X):
    stacked = torch.cat([module.W_Q.weight, module.W_K.weight, module.W_V.weight])
    biases = torch.cat([module.W_Q.bias, module.W_K.bias, module.W_V.bias])
    Q, K, V = torch.chunk(X @ stacked.T + biases, 3, dim=-1)
    A = torch.vmap(lambda q, k: torch.log_softmax((q / math.sqrt(q.shape[-1])) @ k.T, -1).exp())(
        Q, K
    )
    return [A @ V, A]


SelfAttention = type(
    "SelfAttention",
    (nn.Module,),
    {
        "__init__": lambda self, d_model, d_k: (
            nn.Module.__init__(self),
            [self.add_module(n, nn.Linear(d_model, d_k)) for n in ("W_Q", "W_K", "W_V")],
            None,
        )[-1],
        "forward": _attend,
    },
)
