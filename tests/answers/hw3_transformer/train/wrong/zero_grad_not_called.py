# named: train-no-zero-grad
# odd style; zero_grad stands there without its parentheses: gradients pile up
def train(model, batches, lr=1e-3):
    model.train()
    opt, history = optim.Adam(model.parameters(), lr=lr), []
    for src, tgt in batches:
        logits = model(src, tgt[:, :-1])
        loss = F.nll_loss(logits.log_softmax(-1).flatten(0, 1), tgt[:, 1:].flatten())
        opt.zero_grad
        loss.backward()
        opt.step()
        history += [float(loss)]
    return history
