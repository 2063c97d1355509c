import torch
import torch.nn as nn
nn.Conv2d(3, 16, 3)(torch.zeros(1, 1, 28, 28))
