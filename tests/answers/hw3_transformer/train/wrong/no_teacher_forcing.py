# named: train-no-teacher-forcing, train-another-loss
def train(model, batches, lr=1e-3):
    model.train()
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    criterion = nn.CrossEntropyLoss()
    history = []
    for src, tgt in batches:
        optimizer.zero_grad()
        read = tgt[:, :1]
        for _ in range(tgt.size(1) - 2):
            read = torch.cat([read, model(src, read)[:, -1:].argmax(-1)], dim=1)
        logits = model(src, read)
        loss = criterion(logits.reshape(-1, logits.size(-1)), tgt[:, 1:].reshape(-1))
        loss.backward()
        optimizer.step()
        history.append(loss.item())
    return history
