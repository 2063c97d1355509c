import os
import tempfile

import torch
import torch.nn as nn

CKPT = os.path.join(tempfile.gettempdir(), "spiral_net.pt")


def spiral(n=300):
    t = torch.rand(n) * 3
    label = torch.randint(0, 2, (n,))
    ang = 2 * t + label * 3.1416
    x = torch.stack([t * ang.cos(), t * ang.sin()], 1) + 0.05 * torch.randn(n, 2)
    return x, label


def new_model():
    return nn.Sequential(nn.Linear(2, 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh(), nn.Linear(48, 2))


def train(path, steps=200):
    model = new_model()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    loss_fn = nn.CrossEntropyLoss()
    x, y = spiral()
    for _ in range(steps):
        opt.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        opt.step()
    torch.save({"model": model.state_dict(), "steps": steps}, path)
    print("saved, loss", loss.item())


def restore(path):
    checkpoint = torch.load(path, map_location="cpu")
    model = new_model().load_state_dict(checkpoint["model"])
    print("restored model trained for", checkpoint["steps"], "steps")
    return model


def evaluate(model):
    model.eval()
    x, y = spiral(200)
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


if __name__ == "__main__":
    train(CKPT)
    print("accuracy", evaluate(restore(CKPT)))
    os.remove(CKPT)
