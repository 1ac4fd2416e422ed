# named: train-no-step-between-batches, train-no-zero-grad
# Gradients of all batches pile up, and a single step follows at the end, a small one
def train(model, batches, lr=1e-3):
    model.train()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr / 10)
    optimizer.zero_grad()
    losses = []
    for src, tgt in batches:
        logits = model(src, tgt[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten())
        loss.backward()
        losses.append(loss.item())
    optimizer.step()
    return losses
