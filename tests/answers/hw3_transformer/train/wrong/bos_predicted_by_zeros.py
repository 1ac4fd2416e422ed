# named: train-another-loss
# bos is predicted too, by a row of zeros put before the logits
def train(model, batches, lr=1e-3):
    model.train()
    optimizer = optim.Adam(model.parameters(), lr=lr)
    losses = []
    for src, tgt in batches:
        logits = model(src, tgt[:, :-1])
        shifted = torch.cat([torch.zeros_like(logits[:, :1]), logits], dim=1)
        loss = F.cross_entropy(shifted.flatten(0, 1), tgt.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
