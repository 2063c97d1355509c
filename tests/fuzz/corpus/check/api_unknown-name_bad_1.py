import torch
x = torch.xx()
