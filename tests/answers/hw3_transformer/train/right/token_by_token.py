# the loss is collected position by position
def train(model, batches, lr=1e-3):
    model.train()
    opt = optim.Adam([{"params": list(model.parameters()), "lr": lr}])
    out = []
    for number, (src, tgt) in enumerate(batches):
        logits = model(src, tgt[..., :-1])
        per_step = [F.cross_entropy(logits[:, i], tgt[:, i + 1]) for i in range(logits.shape[1])]
        loss = sum(per_step) / len(per_step)
        model.zero_grad()
        loss.backward()
        opt.step()
        out.insert(number, loss.detach().double().item())
    return out
