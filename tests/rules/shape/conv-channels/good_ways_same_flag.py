import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--grey", action="store_true")
args = parser.parse_args()
one, three = nn.Conv2d(1, 8, 3), nn.Conv2d(3, 8, 3)
if args.grey:
    x = torch.zeros(1, 1, 20, 20)
else:
    x = torch.zeros(1, 3, 20, 20)
grey = args.grey
if grey:
    one(x)
else:
    three(x)
one(x) if args.grey else three(x)


def run(x, is_grey):
    if is_grey:
        return one(x)
    return three(x)


run(x, grey)
net = one if grey else three
net(x)
if not grey:
    three(x)
x = x.repeat(1, 3, 1, 1) if grey else x
three(x)
