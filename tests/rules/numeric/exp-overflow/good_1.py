import torch
import torch.nn as nn
x = nn.Linear(4, 3)(torch.zeros(2, 4))
y = torch.exp(torch.clamp(x, max=20))
