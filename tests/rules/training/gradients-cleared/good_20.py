import torch


def train(model, loss_fn, optimizer, loader, parts):
    optimizer.zero_grad()
    for step, (x, y) in enumerate(loader):
        loss = loss_fn(model(x), y) / parts
        loss.backward()
        if (step + 1) % parts == 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
