import torch
from torch import nn
keep_prob = 0.9
d = nn.Dropout(1 - keep_prob)
