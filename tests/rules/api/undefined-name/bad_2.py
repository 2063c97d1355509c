import torch
from torch import nn
import torch.nn.functional as F
batch_size = 8
print(batchsize)
