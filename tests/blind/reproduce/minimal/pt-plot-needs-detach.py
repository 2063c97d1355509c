import torch

level = torch.nn.Parameter(torch.tensor(1.0))
level.numpy()
