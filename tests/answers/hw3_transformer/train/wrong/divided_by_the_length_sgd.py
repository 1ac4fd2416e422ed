# named: train-divided-by-the-length
# Averages over positions once more, with another optimiser
def train(model, batches, lr=1e-3):
    model.train()
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    criterion = nn.CrossEntropyLoss()
    history = []
    for src, tgt in batches:
        optimizer.zero_grad()
        logits = model(src, tgt[:, :-1])
        loss = criterion(logits.reshape(-1, logits.size(-1)), tgt[:, 1:].reshape(-1)) / (
            tgt.size(1) - 1
        )
        loss.backward()
        optimizer.step()
        history.append(loss.item())
    return history
