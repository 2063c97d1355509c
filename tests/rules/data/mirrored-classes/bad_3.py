import torch
from torch import nn
from torchvision import transforms

SIGNS = ["left", "right", "straight"]
augment = transforms.Compose([
    transforms.ColorJitter(0.2),
    transforms.RandomHorizontalFlip(),
    transforms.ToTensor(),
])
net = nn.Sequential(nn.Conv2d(3, 16, 3, stride=2), nn.ReLU(), nn.AdaptiveAvgPool2d(4), nn.Flatten(),
                    nn.Linear(256, len(SIGNS)))
loss_fn = nn.CrossEntropyLoss()
