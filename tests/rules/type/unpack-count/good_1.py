import torch
a, b = torch.max(torch.zeros(3, 4), 1)
