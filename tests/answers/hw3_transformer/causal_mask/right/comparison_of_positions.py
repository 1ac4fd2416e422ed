def causal_mask(n):
    places = torch.arange(n)
    return places[None, :] <= places[:, None]
