import torch
import torch.nn as nn
import torch.nn.functional as F

lstm = nn.LSTM(10, 20, batch_first=True)
head = nn.Linear(20, 2)
out = head(lstm(torch.randn(4, 7, 10))[0])
