import torch
from torch import nn
import torch.nn.functional as F
x = torch.randint(0, 600, (3,)).short()
