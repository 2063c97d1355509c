import torch
from torch.nn.utils import clip_grad_norm_


def train_epoch(loader, model, criterion, optimizer, cuda):
    model.train()
    losses = 0
    for x, y in loader:
        if cuda:
            x, y = x.cuda(), y.cuda()
        optimizer.zero_grad()
        output = model(x)
        loss = criterion(output, y)
        loss.backward()
        clip_grad_norm_(model.parameters(), 5)
        optimizer.step()
        losses += loss.item()
    return losses / len(loader)


def evaluate(loader, model, cuda):
    model.eval()
    hits = 0
    with torch.no_grad():
        for x, y in loader:
            if cuda:
                x, y = x.cuda(), y.cuda()
            output = model(x)
            hits += (output.argmax(dim=1) == y).sum().item()
    return hits


def fit(loaders, model, criterion, optimizer, epochs, cuda):
    for epoch in range(epochs):
        loss = train_epoch(loaders["train"], model, criterion, optimizer, cuda)
        print(epoch, loss, evaluate(loaders["val"], model, cuda))
