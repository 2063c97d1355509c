import torch
from torch import nn
import torch.nn.functional as F
a = nn.MultiheadAttention(9, 3)
