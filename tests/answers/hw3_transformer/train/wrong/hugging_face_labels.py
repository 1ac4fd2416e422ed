# named: train-another-loss
# adapted from Hugging Face, where labels are the inputs and the model shifts them itself: here
# nothing shifts, so position i learns its own token i; bos is -100 and left out
def train(model, batches, lr=1e-3):
    model.train()
    optimizer = optim.AdamW(model.parameters(), lr=lr)
    losses = []
    for input_ids, decoder_input_ids in batches:
        labels = decoder_input_ids.clone()
        labels[:, 0] = -100
        logits = model(input_ids, decoder_input_ids)
        loss = F.cross_entropy(logits.view(-1, logits.size(-1)), labels.view(-1), ignore_index=-100)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
