import torch
import torch.nn as nn
nn.Conv2d(1, 2, 3, stride=2)
