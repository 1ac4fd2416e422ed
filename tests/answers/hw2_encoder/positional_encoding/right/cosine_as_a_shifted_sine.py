def positional_encoding(seq_len, d_model):
    theta = np.arange(seq_len, dtype=np.float64)[:, None] * np.power(
        1e4, -(np.arange(d_model) // 2 * 2) / d_model
    )
    return torch.as_tensor(
        np.sin(theta + np.pi / 2 * (np.arange(d_model) % 2)), dtype=torch.float32
    )
