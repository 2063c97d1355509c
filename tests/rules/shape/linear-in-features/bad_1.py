import torch
import torch.nn as nn
layer = nn.Linear(10, 5)
y = layer(torch.randn(4, 8))
