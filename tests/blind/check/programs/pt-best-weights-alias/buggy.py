import copy

import torch
import torch.nn as nn


class EarlyStopper:
    def __init__(self, patience=5):
        self.patience = patience
        self.best_loss = float("inf")
        self.best_state = None
        self.bad = 0

    def update(self, model, loss):
        if loss < self.best_loss:
            self.best_loss, self.bad = loss, 0
            self.best_state = model.state_dict()
        else:
            self.bad += 1
        return self.bad >= self.patience


def make_split(n, d=30, noise=0.5):
    x = torch.randn(n, d)
    y = x[:, :3].sum(1, keepdim=True) + noise * torch.randn(n, 1)
    return x, y


def fit(model, train, valid, max_epochs=200, lr=1e-2):
    x, y = train
    vx, vy = valid
    criterion = nn.MSELoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    stopper = EarlyStopper()
    for epoch in range(max_epochs):
        model.train()
        for idx in torch.randperm(len(x)).split(16):
            optimizer.zero_grad()
            criterion(model(x[idx]), y[idx]).backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            vloss = criterion(model(vx), vy).item()
        if stopper.update(model, vloss):
            print("stopped at epoch", epoch)
            break
    model.load_state_dict(stopper.best_state)
    print("best validation loss", round(stopper.best_loss, 4))
    return model


def main():
    train, valid, test = make_split(80), make_split(80), make_split(400)
    net = nn.Sequential(nn.Linear(30, 64), nn.ReLU(), nn.Linear(64, 1))
    net = fit(net, train, valid)
    net.eval()
    with torch.no_grad():
        print("valid again", nn.functional.mse_loss(net(valid[0]), valid[1]).item())
        print("test", nn.functional.mse_loss(net(test[0]), test[1]).item())


if __name__ == "__main__":
    main()
