# named: train-logits-as-log-probabilities, train-mode-not-set
# nll_loss on logits; model in eval (no model.train())
def train(model, batches, lr=1e-3):
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    history = []
    for src, tgt in batches:
        opt.zero_grad()
        out = model(src, tgt[:, :-1])
        loss = F.nll_loss(out.flatten(0, 1), tgt[:, 1:].flatten())
        loss.backward()
        opt.step()
        history.append(loss.item())
    return history
