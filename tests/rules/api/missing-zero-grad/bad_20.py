import torch
from torch.nn.utils import clip_grad_norm_


class Executor:
    def train(self, model, optimizer, loader, criterion, clip):
        model.train()
        for batch, (x, y) in enumerate(loader):
            loss = criterion(model(x), y)
            loss.backward()
            norm = clip_grad_norm_(model.parameters(), clip)
            if torch.isfinite(norm):
                optimizer.step()
