import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, backbone, width, modes, hidden=4096):
        super().__init__()
        self.backbone = backbone
        self.fc1 = nn.Linear(width, hidden)
        self.fc2 = nn.Linear(hidden, modes)

    def forward(self, image, state):
        features = torch.cat([self.backbone(image), state], dim=1)
        return self.fc2(self.fc1(features))
