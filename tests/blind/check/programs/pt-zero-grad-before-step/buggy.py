import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Trainer:
    def __init__(self, model, lr=1e-2, clip=None):
        self.model = model
        self.clip = clip
        self.loss_fn = nn.SmoothL1Loss()
        self.opt = torch.optim.RMSprop(model.parameters(), lr=lr)

    def compute(self, batch):
        x, y = batch
        return self.loss_fn(self.model(x), y)

    def update(self, loss):
        loss.backward()
        self.opt.zero_grad()
        if self.clip is not None:
            nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        self.opt.step()

    def fit(self, train_dl, valid_dl, epochs):
        history = []
        for epoch in range(epochs):
            self.model.train()
            for batch in train_dl:
                self.update(self.compute(batch))
            history.append(self.validate(valid_dl))
            print(f"epoch {epoch} valid {history[-1]:.4f}")
        return history

    def validate(self, dl):
        self.model.eval()
        total, n = 0.0, 0
        with torch.no_grad():
            for batch in dl:
                total += self.compute(batch).item() * len(batch[0])
                n += len(batch[0])
        return total / n


def dataset(n):
    x = torch.rand(n, 2) * 4 - 2
    y = (torch.sin(x[:, :1]) * torch.cos(x[:, 1:]))
    return TensorDataset(x, y)


if __name__ == "__main__":
    model = nn.Sequential(nn.Linear(2, 40), nn.Tanh(), nn.Linear(40, 1))
    train_dl = DataLoader(dataset(600), batch_size=50, shuffle=True)
    valid_dl = DataLoader(dataset(100), batch_size=100)
    Trainer(model, clip=5.0).fit(train_dl, valid_dl, epochs=4)
