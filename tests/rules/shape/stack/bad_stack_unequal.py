import torch
import torch.nn as nn
import torch.nn.functional as F

a = torch.stack([torch.randn(3), torch.randn(4)])
