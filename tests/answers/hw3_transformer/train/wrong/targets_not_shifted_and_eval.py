# named: train-eval-mode, train-targets-not-shifted
# input and target both tgt[:, :-1]; model in eval
def train(model, batches, lr=1e-3):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    losses = []
    for src, tgt in batches:
        model.eval()
        optimizer.zero_grad()
        logits = model(src, tgt[:, :-1])
        loss = F.cross_entropy(logits.flatten(0, 1), tgt[:, :-1].flatten())
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
