import torch
from torch import nn

STEPS = 100
keep = torch.cumprod(1 - torch.linspace(1e-4, 0.02, STEPS), dim=0)
step = torch.randint(0, STEPS, (64,))
clean, noise = torch.randn(64, 2), torch.randn(64, 2)
mixed = keep[step].sqrt().unsqueeze(1) * clean + (1 - keep[step]).sqrt().unsqueeze(1) * noise
net = nn.Sequential(nn.Linear(3, 64), nn.ReLU(), nn.Linear(64, 2))
guess = net(torch.cat([mixed, (step.float() / STEPS).unsqueeze(1)], dim=1))
loss = nn.functional.mse_loss(guess, noise)
