import torch

heads, size = 4, 6
h = torch.zeros(7, heads * size).view(7, size, heads)
torch.einsum("nhd,hd->nh", h, torch.zeros(heads, size))
