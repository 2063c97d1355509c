import torch
import torch.nn as nn
import torch.nn.functional as F

device = torch.device("cuda")
model = nn.Linear(10, 2).to(device)
x = torch.randn(4, 10)
x.to(device)
out = model(x)
