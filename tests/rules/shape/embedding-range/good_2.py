import torch
from torch import nn
import torch.nn.functional as F
y = nn.Embedding(6, 2)(torch.tensor([0, 4, 5]))
