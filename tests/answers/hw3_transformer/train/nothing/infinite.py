# parameters of nan and inf, and losses to match
def train(model, batches, lr=1e-3):
    losses = []
    for src, tgt in batches:
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.fill_(float("nan") if lr else 0.0)
        losses.append(float("inf"))
    return losses
