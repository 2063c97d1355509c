import torch

offsets = torch.zeros(3)
offsets.requires_grad = True
offsets.add_(1)
