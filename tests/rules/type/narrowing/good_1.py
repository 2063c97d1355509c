import torch
from torch import nn
import torch.nn.functional as F
x = torch.randint(0, 200, (3,)).to(torch.uint8)
