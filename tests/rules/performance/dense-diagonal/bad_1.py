import torch

mean = torch.randn(32, 16)
prior = torch.eye(16).expand(32, 16, 16)
distance = mean.unsqueeze(1) @ torch.linalg.inv(prior) @ mean.unsqueeze(2)
