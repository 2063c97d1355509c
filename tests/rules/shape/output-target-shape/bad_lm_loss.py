import torch
import torch.nn as nn
import torch.nn.functional as F

logits = torch.randn(2, 9, 50, requires_grad=True)
y = torch.randint(0, 50, (2, 9))
loss = nn.CrossEntropyLoss()(logits, y)
