def train(model, batches, lr=1e-3):
    """Learn from each batch once, and leave the model ready for use."""
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def step(src, tgt):
        optimizer.zero_grad()
        logits = model(src, tgt[:, :-1])
        loss = F.cross_entropy(logits.transpose(1, 2), tgt[:, 1:])
        loss.backward()
        optimizer.step()
        return loss.item()

    model.train()
    losses = [step(src, tgt) for src, tgt in batches]
    model.eval()
    return losses
