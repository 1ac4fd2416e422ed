# named: train-squared-error, train-another-loss
def train(model, batches, lr=1e-3):
    model.train()
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    criterion = nn.CrossEntropyLoss()
    history = []
    for src, tgt in batches:
        optimizer.zero_grad()
        logits = model(src, tgt[:, :-1])
        loss = F.mse_loss(logits.softmax(-1), F.one_hot(tgt[:, 1:], logits.size(-1)).float())
        loss.backward()
        optimizer.step()
        history.append(loss.item())
    return history
