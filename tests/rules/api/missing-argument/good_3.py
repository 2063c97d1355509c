import torch
import torch.nn as nn
class A(nn.Module):
    def __init__(self, n=2):
        super().__init__()


A()
