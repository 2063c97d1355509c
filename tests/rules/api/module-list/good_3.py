import torch
import torch.nn as nn
class A(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.sizes = [n, n]
        self.acts = [nn.ReLU()]


net = A(3)
