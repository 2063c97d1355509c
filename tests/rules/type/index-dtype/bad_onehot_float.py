import torch
import torch.nn as nn
import torch.nn.functional as F

y = torch.randint(0, 4, (6,)).float()
h = F.one_hot(y, 4)
