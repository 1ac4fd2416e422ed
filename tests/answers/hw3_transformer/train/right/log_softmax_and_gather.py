def train(model, batches, lr=1e-3):
    model.train()
    optimiser = torch.optim.NAdam(model.parameters(), lr=lr)

    def step(src, tgt):
        log_p = model(src, tgt[:, :-1]).log_softmax(dim=-1)
        loss = -log_p.gather(-1, tgt[:, 1:, None]).mean()
        for parameter in model.parameters():
            parameter.grad = None
        loss.backward()
        optimiser.step()
        return loss.detach().tolist()

    return [step(*batch) for batch in batches]
