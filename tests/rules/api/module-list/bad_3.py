import torch
import torch.nn as nn
class A(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.heads = [nn.Linear(n, 1), nn.Linear(n, 1)]


net = A(3)
