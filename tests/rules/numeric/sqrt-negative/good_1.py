import torch
import torch.nn as nn
x = nn.Linear(4, 3)(torch.zeros(2, 4))
y = torch.sqrt(torch.abs(x) + 1e-6)
