import random

import torch
from torch import nn
from torchvision.transforms import functional as F

CLASSES = ["left", "right", "straight"]
OTHER = {0: 1, 1: 0, 2: 2}


def augment(picture, label):
    if random.random() < 0.5:
        picture, label = F.hflip(picture), OTHER[label]
    return picture, label


net = nn.Sequential(nn.Flatten(), nn.Linear(3 * 32 * 32, len(CLASSES)))
loss_fn = nn.CrossEntropyLoss()
