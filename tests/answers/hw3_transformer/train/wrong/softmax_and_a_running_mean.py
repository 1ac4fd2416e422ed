# named: train-softmax-before-the-loss, train-running-mean
def train(model, batches, lr=1e-3):
    model.train()
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    total, losses = 0.0, []
    for i, (src, tgt) in enumerate(batches, start=1):
        probs = F.softmax(model(src, tgt[:, :-1]), dim=-1)
        loss = F.cross_entropy(probs.reshape(-1, probs.size(-1)), tgt[:, 1:].reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        losses.append(total / i)
    return losses
