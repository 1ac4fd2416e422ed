# named: train-never-moves, train-no-step-between-batches
# The optimiser has the parameters of a fresh model
def train(model, batches, lr=1e-3):
    model.train()
    optimizer = torch.optim.Adam(TinyModel(12).parameters(), lr=lr)
    criterion = nn.CrossEntropyLoss()
    history = []
    for src, tgt in batches:
        model.zero_grad()
        logits = model(src, tgt[:, :-1])
        loss = criterion(logits.reshape(-1, logits.size(-1)), tgt[:, 1:].reshape(-1))
        loss.backward()
        optimizer.step()
        history.append(loss.item())
    return history
