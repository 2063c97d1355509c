import torch.nn as nn


class Trainer:
    def __init__(self, model, batches):
        self.model, self.batches = model, batches
        self.loss = nn.CrossEntropyLoss()

    def check(self):
        self.model.eval()
        total = 0.0
        for x, y in self.batches:
            total += self.loss(self.model(x), y).item()
        return total
