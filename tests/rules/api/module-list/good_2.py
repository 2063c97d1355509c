import torch
import torch.nn as nn
class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(1, 1)
        self.layers = [self.a]


net = A()
