# named: train-axes-scrambled
def train(model, batches, lr=1e-3):
    model.train()
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.AdamW(model.parameters(), lr=lr)
    history = []
    for step, (src, tgt) in enumerate(batches):
        tgt_in, tgt_out = tgt[:, :-1], tgt[:, 1:]
        output = model(src, tgt_in)
        vocab = output.shape[-1]
        loss = criterion(output.reshape(vocab, -1).t(), tgt_out.reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        history.append(float(loss))
    return history
