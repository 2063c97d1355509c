import torch
from torch import nn
import torch.nn.functional as F
import numpy as np
for v in np.array(3.0):
    print(v)
