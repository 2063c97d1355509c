import torch

padding = torch.tensor([1, 0]) == 0
keep = 1 - padding
