# named: train-softmax-over-positions
# the log-softmax of the loss runs over the positions
def train(model, batches, lr=1e-3):
    model.train()
    params = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.Adam(params, lr=lr)
    total = []
    for batch in batches:
        source, target = batch
        optimizer.zero_grad()
        logits = model(source, target)[:, :-1]
        log_probs = torch.log_softmax(logits, dim=1)
        nll = -log_probs.gather(-1, target[:, 1:].unsqueeze(-1)).squeeze(-1)
        loss = nll.mean()
        loss.backward()
        optimizer.step()
        total.append(loss.item())
    return total
