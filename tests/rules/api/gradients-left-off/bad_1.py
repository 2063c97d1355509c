import torch
from torch import nn


class Potential(nn.Module):
    def __init__(self, denoiser, learn=False):
        super().__init__()
        self.denoiser = denoiser
        self.learn = learn

    def gradient(self, x):
        torch.set_grad_enabled(True)
        x = x.requires_grad_()
        out = self.denoiser(x)
        slope = torch.autograd.grad(out, x, grad_outputs=x - out, create_graph=True)[0]
        if not self.learn:
            torch.set_grad_enabled(False)
        return x - out - slope
