# named: multi-head-split-and-merged-by-view-alone
# views alone, with other names for the parameters
class MultiHeadAttention(nn.Module):
    def __init__(self, dim_model, num_head):
        super().__init__()
        if dim_model % num_head != 0:
            raise ValueError("dim_model % num_head")
        self.num_head = num_head
        self.dim_head = dim_model // num_head
        self.W_Q = nn.Linear(dim_model, dim_model)
        self.W_K = nn.Linear(dim_model, dim_model)
        self.W_V = nn.Linear(dim_model, dim_model)
        self.W_O = nn.Linear(dim_model, dim_model)

    def forward(self, query, key, value, mask=None):
        B = query.size(0)
        Q = self.W_Q(query).view(B, self.num_head, -1, self.dim_head)
        K = self.W_K(key).view(B, self.num_head, -1, self.dim_head)
        V = self.W_V(value).view(B, self.num_head, -1, self.dim_head)
        att = torch.matmul(Q, K.permute(0, 1, 3, 2)) * self.dim_head**-0.5
        if mask is not None:
            att = att.masked_fill(~mask, float("-inf"))
        ctx = torch.matmul(F.softmax(att, dim=-1), V)
        return self.W_O(ctx.view(B, -1, self.num_head * self.dim_head))
