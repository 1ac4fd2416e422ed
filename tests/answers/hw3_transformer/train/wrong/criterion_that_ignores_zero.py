# named: train-ignores-a-token
# ignore_index=0: a real token is not counted
def train(model, batches, lr=1e-3):
    model.train()
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    criterion = nn.CrossEntropyLoss(ignore_index=0)
    history = []
    for src, tgt in batches:
        opt.zero_grad()
        out = model(src, tgt[:, :-1])
        loss = criterion(out.flatten(0, 1), tgt[:, 1:].flatten())
        loss.backward()
        opt.step()
        history.append(loss.item())
    return history
