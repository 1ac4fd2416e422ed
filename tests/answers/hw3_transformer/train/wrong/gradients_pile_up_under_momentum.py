# named: train-no-zero-grad, train-zero-grad-once
# Gradients are cleared once, and momentum comes on top
def train(model, batches, lr=1e-3):
    model.train()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.95)
    optimizer.zero_grad()
    losses = []
    for src, tgt in batches:
        logits = model(src, tgt[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten())
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
