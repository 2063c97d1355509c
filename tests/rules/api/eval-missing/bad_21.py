import torch


def evaluate(model, loss_fn, loader):
    model.eval()
    total = 0
    with torch.no_grad():
        for x, y in loader:
            model.train()
            total += loss_fn(model(x), y).item()
    return total
