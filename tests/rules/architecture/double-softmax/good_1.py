import torch
import torch.nn as nn
x = torch.zeros(4, 3)
loss = nn.CrossEntropyLoss()(x, torch.zeros(4, dtype=torch.long))
