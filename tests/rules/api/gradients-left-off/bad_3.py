import torch
from torch import nn


class Teacher(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(8, 8)

    def targets(self, x):
        torch.set_grad_enabled(mode=False)
        goal = self.out(x)
        return goal
