import torch


class Trainer:
    def __init__(self, model, optimizer, loaders, interval):
        self.model = model
        self.optimizer = optimizer
        self.train_loader, self.val_loader = loaders
        self.interval = interval

    def validate(self):
        self.model.eval()
        with torch.no_grad():
            return sum(self.model(x).sub(y).abs().mean() for x, y in self.val_loader)

    def train_epoch(self):
        self.model.train()
        for i, (x, y) in enumerate(self.train_loader):
            if i % self.interval == 0:
                self.validate()
            self.optimizer.zero_grad()
            loss = self.model(x).sub(y).abs().mean()
            loss.backward()
            self.optimizer.step()
