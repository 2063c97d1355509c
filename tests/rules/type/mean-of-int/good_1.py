import torch
from torch import nn
import torch.nn.functional as F
m = torch.arange(4).float().mean()
