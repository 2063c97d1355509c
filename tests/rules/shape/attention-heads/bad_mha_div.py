import torch
import torch.nn as nn
import torch.nn.functional as F

att = nn.MultiheadAttention(100, 8)
