import torch
x = torch.zeros(3, device="cuda")
y = (x * 2).numpy()
