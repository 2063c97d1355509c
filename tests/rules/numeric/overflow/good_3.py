import torch

scale = torch.full((3,), 1e10)
energy = scale ** 2
