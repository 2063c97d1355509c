import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width
        self.lstm = nn.LSTM(width, width, bidirectional=True)

    def forward(self, x):
        output, (final, _) = self.lstm(x)
        query = final.view(-1, self.width * 2, 1)
        return torch.bmm(output.permute(1, 0, 2), query).squeeze(2)
