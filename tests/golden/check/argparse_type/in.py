import argparse
import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--size", default="12", type=int)
parser.add_argument("--widths", default="40,10", type=lambda s: [int(part) for part in s.split(",")])
args = parser.parse_args()
for width in args.widths:
    nn.Linear(4, width)(torch.zeros(1, 4))
nn.Linear(args.size, 3)(torch.zeros(2, 13))  # 12 is not 13
