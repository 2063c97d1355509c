import torch
import torch.nn as nn
class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(1, 1)

    def forward(self, x):
        return self.fc2(x)


A()(torch.zeros(1, 1))
