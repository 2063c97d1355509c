import torch
from torch import nn
import torch.nn.functional as F
c = nn.Linear(3, 2, in_features=3)
