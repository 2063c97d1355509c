import torch
from torch import nn
keep_prob = 0.9
d = nn.Dropout(keep_prob)
