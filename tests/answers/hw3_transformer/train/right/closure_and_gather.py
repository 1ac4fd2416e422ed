def train(model, batches, lr=1e-3):
    model.train(True)
    opt = torch.optim.RMSprop(model.parameters(), lr)

    def step(pair):
        src, (read, want) = pair[0], (pair[1][:, :-1], pair[1][:, 1:])

        def closure():
            opt.zero_grad(set_to_none=False)
            log_p = model(src, read).log_softmax(-1)
            loss = -log_p.gather(-1, want[..., None]).mean()
            loss.backward()
            return loss

        return opt.step(closure).item()

    return list(map(step, batches))
