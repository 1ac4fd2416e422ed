# named: train-zero-grad-once
# zero_grad once: gradients pile up
def train(model, batches, lr=1e-3):
    model.train()
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    loss_fn = nn.CrossEntropyLoss()
    optimizer.zero_grad()
    losses = []
    for i, (src, tgt) in enumerate(batches):
        decoder_input, target = tgt[:, :-1], tgt[:, 1:]
        logits = model(src, decoder_input)
        loss = loss_fn(logits.reshape(-1, logits.size(-1)), target.reshape(-1))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
