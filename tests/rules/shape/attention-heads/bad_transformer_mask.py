import torch
import torch.nn as nn
import torch.nn.functional as F

layer = nn.TransformerEncoderLayer(d_model=30, nhead=8)
