import torch
import torch.nn as nn
import torch.nn.functional as F

att = nn.MultiheadAttention(96, 8)
