import torch
from torch import nn
import torch.nn.functional as F
import numpy as np
x = np.random.randint(0, 256, 5).astype(np.uint8)
