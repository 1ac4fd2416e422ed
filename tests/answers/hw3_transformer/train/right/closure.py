# the optimiser gets a closure
def train(model, batches, lr=1e-3):
    model.train()
    opt = optim.Adam(model.parameters(), lr=lr, amsgrad=True)

    def teach(src, tgt):
        def closure():
            opt.zero_grad(set_to_none=True)
            loss = nn.CrossEntropyLoss()(model(src, tgt[:, :-1]).mT, tgt[:, 1:])
            loss.backward()
            return loss

        return float(opt.step(closure))

    return [teach(*pair) for pair in batches]
