def NAME(*args, epochs=EPOCHS, batch_size=BATCH, **kwargs):
    """A plain training loop over shuffled batches."""
    given = list(args) + list(kwargs.values())
    model = next(a for a in given if isinstance(a, torch.nn.Module))
    optimizer = next((a for a in given if isinstance(a, torch.optim.Optimizer)), None)
    optimizer = optimizer or torch.optim.Adam(model.parameters(), lr=0.001)
    data = [a for a in given if torch.is_tensor(a)]
    loader = next((a for a in given if isinstance(a, torch.utils.data.DataLoader)), None)
    if loader is None:
        samples = torch.utils.data.TensorDataset(*(data[:2] if len(data) > 1 else stand_in_samples(200)))
        loader = torch.utils.data.DataLoader(samples, batch_size=batch_size, shuffle=True)
    for epoch in range(epochs):
        for x, y in loader:
            loss = torch.nn.functional.LOSS(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return model

