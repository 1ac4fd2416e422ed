# named: train-eval-mode-after-a-batch
# train() stands before the loop, eval() at its end
def train(model, batches, lr=1e-3):
    model.train()
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    losses = []
    for src, tgt in batches:
        optimizer.zero_grad()
        logits = model(src, tgt[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), tgt[:, 1:].flatten())
        loss.backward()
        optimizer.step()
        model.eval()
        losses.append(loss.item())
    return losses
