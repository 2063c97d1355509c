import torch
import torch.nn as nn
class A(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = []
        for i in range(2):
            self.layers.append(nn.Conv2d(1, 1, 1))


net = A()
