import math
import torch
import numpy as np


def cosine_beta_schedule(timesteps, s=0.008):
    x = torch.linspace(0, timesteps, timesteps + 1, dtype=torch.float64)
    alphas_cumprod = torch.cos(((x / timesteps) + s) / (1 + s) * math.pi * 0.5) ** 2
    alphas_cumprod = alphas_cumprod / alphas_cumprod[0]
    betas = 1 - (alphas_cumprod[1:] / alphas_cumprod[:-1])
    return torch.clip(betas, 0, 0.999)


print(cosine_beta_schedule(1000))
b = np.random.uniform(0.0, 1.0, size=[1, 27])
b = b / np.sum(b, 1)[:, None]


def iou(box1, box2):
    inter = torch.clamp(torch.min(box1, box2), 0, 1).prod()
    area1, area2 = torch.sigmoid(box1).prod(), torch.sigmoid(box2).prod()
    return inter / (area1 + area2 - inter + 1e-6)


print(iou(torch.randn(2), torch.randn(2)))
