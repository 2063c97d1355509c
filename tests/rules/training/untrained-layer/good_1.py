import torch
import torch.nn.functional as F
from torch import nn


class Encoder(nn.Module):
    def __init__(self, bert, width):
        super().__init__()
        self.bert = bert
        self.first = nn.Linear(width, width)
        self.second = nn.Linear(width, 128)

    def forward(self, tokens):
        with torch.no_grad():
            outputs = self.bert(**tokens)
        return self.second(F.relu(self.first(outputs[0].mean(1))))
