import torch

scale = torch.rand(10) + 0.5
log_volume = torch.logdet(torch.diag(scale))
