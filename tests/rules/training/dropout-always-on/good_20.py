import torch.nn.functional as F
from torch import nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(512, 200)
        self.drop = nn.Dropout(p=0.5)

    def forward(self, maps):
        features = F.dropout(maps.mean((2, 3)), 0.1, self.training)
        return self.fc(self.drop(features))
