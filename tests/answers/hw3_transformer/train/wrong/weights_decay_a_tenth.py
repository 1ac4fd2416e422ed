# named: train-learning-rate-ignored
def train(model, batches, lr=1e-3):
    model.train()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    criterion = nn.CrossEntropyLoss()
    history = []
    for src, tgt in batches:
        optimizer.zero_grad()
        logits = model(src, tgt[:, :-1])
        loss = criterion(logits.reshape(-1, logits.size(-1)), tgt[:, 1:].reshape(-1))
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            for value in model.parameters():
                value.mul_(0.9)
        history.append(loss.item())
    return history
