import torch
from torch import nn
import torch.nn.functional as F
class E:
    def __init__(self, model):
        self.model = model
        self.x = torch.zeros(1, 3, requires_grad=True)
    def run(self):
        self.model(self.x).sum().backward()
        return self.x.grad
e = E(nn.Linear(3, 1))
for i in range(2):
    g = e.run()
