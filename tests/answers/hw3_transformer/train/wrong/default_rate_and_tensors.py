# named: train-tensors, train-learning-rate-ignored
# lr not passed; losses as tensors
def train(model, batches, lr=1e-3):
    model.train()
    opt = torch.optim.AdamW(model.parameters())
    criterion = nn.CrossEntropyLoss()
    losses = []
    for src, tgt in batches:
        opt.zero_grad()
        logits = model(src, tgt[:, :-1])
        loss = criterion(logits.flatten(0, 1), tgt[:, 1:].flatten())
        loss.backward()
        opt.step()
        losses.append(loss.detach())
    return losses
