import torch
from torch import nn
import torch.nn.functional as F
import numpy as np
a = np.zeros(4)
b = np.ones(4)
if a == b:
    print('same')
