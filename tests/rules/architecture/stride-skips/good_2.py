from torch import nn

shortcut = nn.Conv2d(64, 128, kernel_size=1, stride=2, bias=False)
thin = nn.MaxPool2d(1, stride=2)
