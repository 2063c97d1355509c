import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, backbone, width, modes, rank):
        super().__init__()
        self.backbone = backbone
        self.fc1 = nn.Linear(width, rank)
        self.fc2 = nn.Linear(rank, modes)
        self.down = nn.Linear(width, rank)
        self.up = nn.Linear(rank, width)

    def forward(self, image, state):
        features = torch.cat([self.backbone(image), state], dim=1)
        features = features + self.up(self.down(features))
        return self.fc2(torch.relu(self.fc1(features)))
