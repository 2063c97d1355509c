import torch
from torch import nn
import torch.nn.functional as F
y = torch.stack((torch.zeros(2, 3), torch.zeros(2, 3)))
