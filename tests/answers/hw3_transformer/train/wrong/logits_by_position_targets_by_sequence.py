# named: train-logits-and-targets-in-two-orders
def train(model, batches, lr=1e-3):
    model.train()
    optimizer = optim.Adam(model.parameters(), lr=lr)
    criterion = nn.CrossEntropyLoss()
    losses = []
    for src, tgt in batches:
        optimizer.zero_grad()
        logits = model(src, tgt[:, :-1])
        V = logits.size(-1)
        loss = criterion(logits.transpose(0, 1).reshape(-1, V), tgt[:, 1:].reshape(-1))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
