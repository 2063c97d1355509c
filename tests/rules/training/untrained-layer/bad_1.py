import torch
import torch.nn.functional as F
from torch import nn


class Encoder(nn.Module):
    def __init__(self, bert, width):
        super().__init__()
        self.bert = bert
        self.first = nn.Linear(width, width)
        self.second = nn.Linear(width, 128)

    def text(self, tokens):
        outputs = self.bert(**tokens)
        with torch.no_grad():
            x = F.relu(self.first(outputs[0].mean(1)))
            return self.second(x)

    def forward(self, tokens):
        return self.text(tokens)
