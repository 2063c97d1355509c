import torch
from torch import nn
import torch.nn.functional as F
class E:
    def __init__(self, model):
        self.model = model
        self.x = torch.zeros(1, 3, requires_grad=True)
    def explain(self, v):
        with torch.no_grad():
            self.x.copy_(v)
        self.model(self.x).mean().backward()
        return self.x.grad.clone()
e = E(nn.Linear(3, 2))
a = e.explain(torch.ones(1, 3))
b = e.explain(torch.zeros(1, 3))
