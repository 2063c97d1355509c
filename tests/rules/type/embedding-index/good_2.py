import torch
from torch import nn
import torch.nn.functional as F
y = nn.Embedding(10, 4)(torch.randint(0, 10, (5,)))
