# named: train-last-token-only
# the loss of the last prediction alone
def train(model, batches, lr=1e-3):
    model.train()
    optimizer = optim.Adam(model.parameters(), lr=lr)
    losses = []
    for src, tgt in batches:
        logits = model(src, tgt[:, :-1])[:, -1]
        loss = F.cross_entropy(logits, tgt[:, -1])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
