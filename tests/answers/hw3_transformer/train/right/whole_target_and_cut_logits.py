def train(model, batches, lr=1e-3):
    model.train()
    optimiser = torch.optim.Adam(model.parameters(), lr)
    losses = []
    for src, tgt in batches:
        logits = model(src, tgt)[:, :-1]
        loss = F.cross_entropy(logits.transpose(1, 2), tgt[:, 1:])
        loss.backward()
        optimiser.step()
        optimiser.zero_grad(set_to_none=False)
        losses.append(float(loss))
    return losses
