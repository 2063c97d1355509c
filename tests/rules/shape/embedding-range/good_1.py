import torch
from torch import nn
import torch.nn.functional as F
y = nn.Embedding(20, 4)(torch.randint(0, 20, (3,)))
