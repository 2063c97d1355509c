import torch
from torch import nn
import torch.nn.functional as F
c = nn.Linear(3, out_features=2)
