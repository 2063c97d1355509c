import torch
from torch import nn


class Features(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone

    def forward(self, x):
        torch.set_grad_enabled(False)
        return self.backbone(x).mean((2, 3))
