import torch

signal = torch.randn(50000)
x = torch.stack([signal[t:t + 256] for t in range(0, 40000)])
