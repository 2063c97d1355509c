import torch
import torch.nn as nn
import torch.nn.functional as F

r = nn.GRU(8, 16, bidirectional=True, batch_first=True)
fc = nn.Linear(16, 2)
out, _ = r(torch.randn(3, 5, 8))
y = fc(out[:, -1])
