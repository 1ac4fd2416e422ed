# named: train-drawn-at-random
# Noise is added to every gradient
def train(model, batches, lr=1e-3):
    model.train()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    losses = []
    for src, tgt in batches:
        optimizer.zero_grad()
        logits = model(src, tgt[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten())
        loss.backward()
        for parameter in model.parameters():
            parameter.grad.add_(0.1 * torch.randn_like(parameter))
        optimizer.step()
        losses.append(loss.item())
    return losses
