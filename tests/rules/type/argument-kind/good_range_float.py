import torch
import torch.nn as nn
import torch.nn.functional as F

n = 100
batch = 10
for i in range(n // batch):
    print(i)
