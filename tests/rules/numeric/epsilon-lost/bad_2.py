import torch
from torch.distributions import Normal

EPS = 1e-10
u = torch.rand(100)
z = Normal(0.0, 1.0).icdf(torch.clamp(u, EPS, 1 - EPS))
