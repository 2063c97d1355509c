import torch
from torch import nn
import torch.nn.functional as F
a = torch.ones(3).bool()
b = a ^ a
