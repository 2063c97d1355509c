from torch import nn

block = nn.Sequential(nn.Conv2d(3, 16, 3), nn.BatchNorm2d(16, momentum=0.1), nn.ReLU())
