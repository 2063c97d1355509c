import torch
import torch.nn as nn
import torch.nn.functional as F

layer = nn.TransformerEncoderLayer(d_model=32, nhead=8)
