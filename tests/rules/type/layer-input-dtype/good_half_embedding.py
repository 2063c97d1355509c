import argparse

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(10, 8)
        self.fc = nn.Linear(8, 4)

    def forward(self, x):
        return self.fc(self.embedding(x))


parser = argparse.ArgumentParser()
parser.add_argument("--fp16", action="store_true")
args = parser.parse_args()
net = Net()
if args.fp16:
    net.half()
net(torch.zeros(3, dtype=torch.long))
