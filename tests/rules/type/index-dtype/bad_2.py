import torch
from torch import nn
import torch.nn.functional as F
import numpy as np
x = np.zeros(10)
y = x[:len(x) / 2]
