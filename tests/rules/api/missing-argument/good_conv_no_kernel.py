import torch
import torch.nn as nn
import torch.nn.functional as F

c = nn.Conv2d(3, 16, 3)
