import argparse

import torch
from torch import nn


class Scorer(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(10, 1)

    def forward(self, x):
        return self.out(x)


parser = argparse.ArgumentParser()
parser.add_argument('weights')
args = parser.parse_args()
scorer = Scorer()
scorer.load_state_dict(torch.load(args.weights))
scorer.eval()
