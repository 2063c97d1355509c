import torch
import torch.nn as nn
import torch.nn.functional as F

rows = [torch.randn(3) for _ in range(5)]
batch = torch.tensor(rows)
