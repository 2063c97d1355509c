import torch
import torch.nn as nn
import torch.nn.functional as F

lstm = nn.LSTM(3, 4)
out, h, c = lstm(torch.randn(5, 2, 3))
