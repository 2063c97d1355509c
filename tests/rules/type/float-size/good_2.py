import numpy as np
import torch
a = torch.zeros(2).view(4 // 2)
