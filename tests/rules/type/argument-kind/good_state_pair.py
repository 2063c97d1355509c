import torch
import torch.nn as nn


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(8, 16)

    def forward(self, x, hidden):
        out, hidden = self.rnn(x, hidden)
        return out, hidden


def saturation(image):
    high = torch.max(image, dim=-3).values
    low = torch.min(image, dim=-3).values
    same = high == low
    return (high - low) / torch.where(same, torch.ones_like(high), high)
