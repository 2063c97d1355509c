from torch import nn
x = nn.Linaer(1, 2)
