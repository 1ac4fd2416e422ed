# named: train-divided-by-the-tokens
# Normalised by the number of tokens as if it were a sum
def train(model, batches, lr=1e-3):
    model.train()
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    criterion = nn.CrossEntropyLoss()
    history = []
    for src, tgt in batches:
        optimizer.zero_grad()
        logits = model(src, tgt[:, :-1])
        loss = (
            criterion(logits.reshape(-1, logits.size(-1)), tgt[:, 1:].reshape(-1))
            / tgt[:, 1:].numel()
        )
        loss.backward()
        optimizer.step()
        history.append(loss.item())
    return history
