import torch
import torch.nn as nn

net = nn.Linear(4, 1)


@torch.no_grad()
def guide(latents):
    with torch.enable_grad():
        loss = net(latents).mean()
        loss.backward()
    return latents


guide(torch.randn(2, 4))
