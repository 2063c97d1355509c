import torch
from torch import nn
import torch.nn.functional as F
l = nn.TransformerEncoderLayer(30, 8)
