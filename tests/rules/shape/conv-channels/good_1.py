import torch
import torch.nn as nn
nn.Conv2d(1, 16, 3)(torch.zeros(1, 1, 28, 28))
