import torch

torch.set_default_dtype(torch.float64)
print(torch.nn.Linear(3, 2)(torch.rand(1, 3)))
