# Two groups of parameters, one rate
def train(model, batches, lr=1e-3):
    model.train()
    vectors = [p for p in model.parameters() if p.dim() < 2]
    tables = [p for p in model.parameters() if p.dim() >= 2]
    groups = [{"params": group} for group in (vectors, tables) if group]
    optimizer = torch.optim.AdamW(groups, lr=lr, weight_decay=0.0)
    losses = []
    for step, (src, tgt) in enumerate(batches):
        words, following = tgt[:, :-1].contiguous(), tgt[:, 1:].contiguous()
        out = model(src, words)
        loss = F.cross_entropy(out.view(-1, out.shape[-1]), following.view(-1), reduction="sum")
        loss = loss / following.numel()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses += [loss.item()]
    return losses
