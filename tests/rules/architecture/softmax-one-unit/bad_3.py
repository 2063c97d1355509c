import torch
import torch.nn as nn
x = torch.softmax(nn.Linear(4, 1)(torch.zeros(2, 4)), dim=1)
