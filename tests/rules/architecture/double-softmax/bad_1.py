import torch
import torch.nn as nn
x = torch.softmax(torch.zeros(4, 3), dim=1)
loss = nn.CrossEntropyLoss()(x, torch.zeros(4, dtype=torch.long))
