# named: train-drawn-at-random, train-batches-without-a-step
# Half of the batches, drawn at random, are followed by a step
def train(model, batches, lr=1e-3):
    model.train()
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    losses = []
    for src, tgt in batches:
        optimizer.zero_grad()
        logits = model(src, tgt[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten())
        loss.backward()
        if torch.rand(()) < 0.5:
            optimizer.step()
        losses.append(loss.item())
    return losses
