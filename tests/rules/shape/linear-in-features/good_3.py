import torch
import torch.nn as nn
def apply(layer, x):
    return layer(x)


apply(nn.Linear(3, 4), torch.ones(7, 2, 3))
