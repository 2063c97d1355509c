import torch
from torch import nn
import torch.nn.functional as F
def train(model):
    return model(torch.randn(1, 2))
train(nn.Linear(2, 1))
