# named: train-loss-times-the-length
# loss summed over positions, averaged over rows
def train(model, batches, lr=1e-3):
    optimizer = optim.Adam(model.parameters(), lr=lr)
    model.train()
    history = []
    for src, tgt in batches:
        logits = model(src, tgt[:, :-1])
        each = F.cross_entropy(logits.transpose(1, 2), tgt[:, 1:], reduction="none")
        loss = each.sum(dim=1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.append(loss.item())
    return history
