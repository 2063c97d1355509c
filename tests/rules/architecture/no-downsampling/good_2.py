import torch
import torch.nn as nn

net = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(4), nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(),
                    nn.Flatten(), nn.Linear(32 * 16 * 16, 128), nn.ReLU(), nn.Linear(128, 10))
loss = nn.CrossEntropyLoss()(net(torch.rand(8, 3, 64, 64)), torch.randint(0, 10, (8,)))
