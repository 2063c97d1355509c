import torch
import torch.nn as nn


class Rotary(nn.Module):
    def __init__(self, d):
        super().__init__()
        theta = 1.0 / (10000 ** (torch.arange(0, d, 2).float() / d))
        self.theta = nn.Parameter(theta, requires_grad=False)

    def forward(self, x):
        return x * self.theta


net = Rotary(8)
net.to(torch.device("cuda:0"))
net(torch.randn(3, 4).cuda())
