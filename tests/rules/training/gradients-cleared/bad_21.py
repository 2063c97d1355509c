import torch


class Trainer:
    def __init__(self, model, loss_fn, optimizer, parts):
        self.model, self.loss_fn = model, loss_fn
        self.optimizer, self.parts = optimizer, parts

    def step(self, i, image, pose):
        loss = self.loss_fn(self.model(image), pose) / self.parts
        self.optimizer.zero_grad()
        loss.mean().backward()
        if (i + 1) % self.parts == 0:
            self.optimizer.step()
        return loss
