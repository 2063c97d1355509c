import torch
from torch import nn
import torch.nn.functional as F
y = torch.cat(3)
