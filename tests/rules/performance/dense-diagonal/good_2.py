import torch

scale = torch.rand(10) + 0.5
log_volume = scale.log().sum()
