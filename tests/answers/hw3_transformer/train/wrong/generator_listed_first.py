# named: train-generator-used-up
# Counts the batches before it goes through them
def train(model, batches, lr=1e-3):
    model.train()
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    criterion = nn.CrossEntropyLoss()
    history = []
    print(len(list(batches)), "batches")
    for src, tgt in batches:
        optimizer.zero_grad()
        logits = model(src, tgt[:, :-1])
        loss = criterion(logits.reshape(-1, logits.size(-1)), tgt[:, 1:].reshape(-1))
        loss.backward()
        optimizer.step()
        history.append(loss.item())
    return history
