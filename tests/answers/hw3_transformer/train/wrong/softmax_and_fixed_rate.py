# named: train-softmax-before-the-loss, train-learning-rate-ignored
# a softmax before the loss, and lr is ignored
def train(model, batches, lr=1e-3):
    model.train()
    optimizer = optim.Adam(model.parameters())
    losses = []
    for src, tgt in batches:
        probs = torch.softmax(model(src, tgt[:, :-1]), dim=-1)
        loss = F.cross_entropy(probs.permute(0, 2, 1), tgt[:, 1:])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
