# named: train-batches-without-a-step
def train(model, batches, lr=1e-3):
    model.train()
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.AdamW(model.parameters(), lr=lr)
    history = []
    for step, (src, tgt) in enumerate(batches):
        tgt_in, tgt_out = tgt[:, :-1], tgt[:, 1:]
        output = model(src, tgt_in)
        vocab = output.shape[-1]
        loss = criterion(output.reshape(-1, vocab), tgt_out.reshape(-1))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if (step + 1) % 2 == 0:
            optimizer.step()
            optimizer.zero_grad()
        history.append(float(loss))
    return history
