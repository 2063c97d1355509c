import torch
from torch import nn

net = nn.Sequential(nn.Conv2d(3, 64, 3, padding=1), nn.ReLU(), nn.Flatten(),
                    nn.Linear(64 * 512 * 512, 1024), nn.ReLU(), nn.Linear(1024, 10))
