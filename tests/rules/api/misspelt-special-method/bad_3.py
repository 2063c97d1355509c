import torch
import torch.nn as nn
class A(nn.Module):
    def __inti__(self):
        pass
