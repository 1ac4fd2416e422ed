# named: multi-head-mask-added-as-a-number
# the boolean mask is added to the scores as 0 and 1
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("n_heads must divide d_model")
        self.d_model = d_model
        self.h = n_heads
        self.d_k = d_model // n_heads
        self.W_Q = nn.Linear(d_model, d_model)
        self.W_K = nn.Linear(d_model, d_model)
        self.W_V = nn.Linear(d_model, d_model)
        self.W_O = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        B = query.shape[0]
        q = self.W_Q(query).view(B, -1, self.h, self.d_k).transpose(1, 2)
        k = self.W_K(key).view(B, -1, self.h, self.d_k).transpose(1, 2)
        v = self.W_V(value).view(B, -1, self.h, self.d_k).transpose(1, 2)
        logits = q @ k.mT * self.d_k**-0.5
        if mask is not None:
            logits = logits + mask.float()
        p = torch.softmax(logits, dim=-1)
        return self.W_O((p @ v).transpose(1, 2).reshape(B, -1, self.d_model))
