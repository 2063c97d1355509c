import torch
import torch.nn as nn
import torch.nn.functional as F

o = torch.optim.Adam(nn.Linear(2, 1).parameters())
