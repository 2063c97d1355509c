import torch
import torch.nn as nn


class Base(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.device = device

    def predict(self, batches):
        model = self.eval()
        return [model(x.to(self.device)) for x in batches]
