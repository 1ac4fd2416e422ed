# with an optimiser and the loss of PyTorch
def gradient_step(model, x, wanted, rate):
    optimiser = torch.optim.SGD(model.parameters(), lr=rate)
    optimiser.zero_grad()
    loss = nn.functional.mse_loss(model(x), wanted)
    loss.backward()
    optimiser.step()
    return float(loss)
