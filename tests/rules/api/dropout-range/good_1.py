import torch
from torch import nn
import torch.nn.functional as F
d = nn.Dropout(0.5)
