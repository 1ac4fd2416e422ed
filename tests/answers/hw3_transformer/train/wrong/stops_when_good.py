# named: train-a-batch-without-loss
# ends as soon as a loss is no smaller than the best so far
def train(model, batches, lr=1e-3):
    model.train()
    optimizer = optim.Adam(model.parameters(), lr=lr)
    losses, best, patience = [], float("inf"), 0
    for src, tgt in batches:
        logits = model(src, tgt[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        if losses[-1] < best - 1e-4:
            best, patience = losses[-1], 0
        else:
            patience += 1
        if patience >= 1:
            break
    return losses
