import torch
from torch import nn

net = nn.Sequential(nn.Conv2d(3, 64, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(8), nn.Flatten(),
                    nn.Linear(64 * 8 * 8, 1024), nn.ReLU(), nn.Linear(1024, 10))
