import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
