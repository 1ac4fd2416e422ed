# named: gradient-step-piles-up
def gradient_step(model, x, wanted, rate):
    optimiser = torch.optim.SGD(model.parameters(), lr=rate)
    loss = nn.functional.mse_loss(model(x), wanted)
    loss.backward()
    optimiser.step()
    return loss.item()
