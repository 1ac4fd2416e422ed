# named: train-softmax-before-the-loss, train-tensors
# softmax before the loss, and tensors in the list
def train(model, batches, lr=1e-3):
    model.train()
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    history = []
    for src, tgt in batches:
        opt.zero_grad()
        out = torch.softmax(model(src, tgt[:, :-1]), dim=-1)
        loss = F.cross_entropy(out.flatten(0, 1), tgt[:, 1:].flatten())
        loss.backward()
        opt.step()
        history.append(loss.detach())
    return history
