import torch

torch.autograd.set_detect_anomaly(True)
x = torch.tensor([[0.0], [1.0]], requires_grad=True)
distance = (x[:, None] - x[None]).pow(2).sum(dim=-1).sqrt()
distance.max().backward()
