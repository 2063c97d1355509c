import torch
import torch.nn as nn
s = nn.Sequential(nn.ReLU())
s(torch.zeros(1), torch.zeros(1))
