import torch
import torch.nn as nn
import torch.nn.functional as F

conv = nn.Conv2d(3, 8, 3)
