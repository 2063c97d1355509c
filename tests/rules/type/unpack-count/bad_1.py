import torch
a, b, c = torch.max(torch.zeros(3, 4), 1)
