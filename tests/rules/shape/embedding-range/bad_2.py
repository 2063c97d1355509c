import torch
from torch import nn
import torch.nn.functional as F
y = nn.Embedding(5, 2)(torch.tensor([0, 4, 5]))
