# named: train-stops-early
# stops when a loss is small
def train(model, batches, lr=1e-3, patience=0.05):
    model.train()
    optimiser = optim.Adam(model.parameters(), lr=lr)
    losses = []
    for src, tgt in batches:
        loss = F.cross_entropy(model(src, tgt[:, :-1]).flatten(0, 1), tgt[:, 1:].flatten())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
        if losses[-1] < patience:
            break
    return losses
