import torch
import torch.nn.functional as F
a = torch.randn(32, 64, requires_grad=True)
b = torch.randn(32, 64)
cos = F.cosine_similarity(a, b)
angle = torch.acos(cos)
angle.mean().backward()
