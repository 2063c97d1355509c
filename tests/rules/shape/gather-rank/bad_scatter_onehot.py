import torch
import torch.nn as nn
import torch.nn.functional as F

y = torch.randint(0, 5, (8,))
h = torch.zeros(8, 5).scatter(1, y, 1.0)
