from torch import nn

net = nn.Sequential(nn.Conv2d(3, 16, kernel_size=3, stride=4), nn.ReLU(), nn.Conv2d(16, 32, 3, stride=5))
