import torch
import torch.nn as nn
p = torch.sigmoid(torch.zeros(4, 1))
loss = nn.BCEWithLogitsLoss()(p, torch.zeros(4, 1))
