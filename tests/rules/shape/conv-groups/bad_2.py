import torch
from torch import nn
import torch.nn.functional as F
c = nn.Conv1d(10, 10, 3, groups=4)
