import torch
from torch import nn


class Features(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone

    def forward(self, x):
        was = torch.is_grad_enabled()
        torch.set_grad_enabled(False)
        x = self.backbone(x)
        torch.set_grad_enabled(was)
        return x
