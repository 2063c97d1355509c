import torch


def evaluate(loader, model, loss_fn):
    model.eval()
    return sum(loss_fn(model(x), y).item() for x, y in loader)


def main(model, loss_fn, optimizer, loader, test, epochs):
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            optimizer.step()
        if (epoch + 1) % 5 == 0:
            print(evaluate(test, model, loss_fn))
