# named: self-attention-batch-second
# written for the layout (seq, batch, feature) as in fairseq, so it attends over the batch and
# not over the tokens; right only for batch = seq = 1 (the weights' shape shows it when batch
# != seq)
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)
        self.scaling = d_k**-0.5

    def forward(self, X):
        tgt_len, bsz, _ = X.shape
        q = (self.W_Q(X) * self.scaling).transpose(0, 1)  # (bsz, tgt_len, d_k)
        k = self.W_K(X).transpose(0, 1)
        v = self.W_V(X).transpose(0, 1)
        weights = torch.bmm(q, k.transpose(1, 2)).softmax(dim=-1)
        return torch.bmm(weights, v).transpose(0, 1), weights
