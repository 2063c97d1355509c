import torch
import torch.nn as nn
class A(nn.Module):
    def _init_(self):
        pass
