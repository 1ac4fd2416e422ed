# named: train-first-token-left-out
def train(model, batches, lr=1e-3):
    model.train()
    optimizer = optim.Adam(model.parameters(), lr=lr)
    losses = []
    for src, tgt in batches:
        logits = model(src, tgt[:, :-1])
        loss = F.cross_entropy(logits[:, 1:].reshape(-1, logits.size(-1)), tgt[:, 2:].reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
