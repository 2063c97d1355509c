def NAME(*args, **kwargs):
    """Share of samples that the model classifies rightly."""
    model = next(a for a in args if isinstance(a, torch.nn.Module))
    data = [a for a in args if not isinstance(a, torch.nn.Module)]
    if data and torch.is_tensor(data[0]):
        batches = [data[:2]]
    elif data and isinstance(data[0], tuple):
        batches = [data[0]]
    else:
        batches = data[0] if data else [stand_in_samples(200)]
    was_training = model.training
    model.eval()
    with torch.no_grad():
        right = [(model(x).argmax(dim=1) == y).float() for x, y in batches]
    model.train(was_training)
    return torch.cat(right).mean().item()

