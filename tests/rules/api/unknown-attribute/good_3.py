import torch
import torch.nn as nn
class A(nn.Module):
    def fit(self, x):
        return x


A().fit(1)
