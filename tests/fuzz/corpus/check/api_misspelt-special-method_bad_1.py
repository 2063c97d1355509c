import torch
import torch.nn as nn
class A(nn.Module):
    def ___init___(self):
        pass
