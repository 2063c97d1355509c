import torch
from torch import nn
import torch.nn.functional as F
class E:
    def __init__(self, model):
        self.model = model
        self.x = torch.zeros(1, 3, requires_grad=True)
    def norm(self):
        loss = self.model(self.x).pow(2).sum()
        loss.backward()
        return self.x.grad.norm()
v = E(nn.Linear(3, 1)).norm()
