import torch
from torch import nn
import torch.nn.functional as F
a = nn.MultiheadAttention(100, 8)
