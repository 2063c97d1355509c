import torch
from torch import nn
import torch.nn.functional as F
y = nn.Embedding(3, 4)(torch.zeros(2))
